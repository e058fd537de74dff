// What is stored under an id of the integrator's? A device report and its decisions, or the decision of a transaction.

import { useRead } from '../../api/use-call.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Empty, Failed, Loading } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { shortId } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import { kindNames, linkTo, type RecordKind } from './recognise.ts'
import './search.css'

export function FoundRecords({ kind, value }: { kind: RecordKind; value: string }) {
  const { data, error, refetch } = useRead('findRecords', { [kind]: value })
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={4} />
  const { report, decisions } = data
  if (!report && decisions.length === 0)
    return (
      <Empty
        icon="search"
        title="Nothing found"
        action={
          kind === 'transaction' && (
            <Link {...linkTo({ kind: 'userId', value })}>Search as {kindNames.userId.toLowerCase()}</Link>
          )
        }
      >
        {kind === 'dfrId'
          ? 'There is no device report with this id, or it has expired.'
          : 'No stored decision was sent with this Idempotency-Key. Send your id of the transaction as Idempotency-Key, and it is found here.'}
      </Empty>
    )
  return (
    <div className="found-records">
      {report && (
        <Card title="Device report">
          <Facts
            facts={[
              { name: 'Made', value: <Time at={report.at} /> },
              report.deviceId === undefined
                ? undefined
                : {
                    name: 'Device',
                    value: (
                      <Link to="/devices/$deviceId" params={{ deviceId: report.deviceId }}>
                        {shortId(report.deviceId)}
                      </Link>
                    ),
                  },
              {
                name: 'Request',
                value: (
                  <>
                    <Link {...linkTo({ kind: 'requestId', value: report.requestId })}>What happened in it</Link>{' '}
                    <Copy value={report.requestId}>{shortId(report.requestId)}</Copy>
                  </>
                ),
              },
            ]}
          />
        </Card>
      )}
      <Card title={decisions.length === 1 ? 'Decision' : 'Decisions'}>
        {decisions.length === 0 ? (
          <p className="dim">No decision was made with this report.</p>
        ) : (
          <ul>
            {decisions.map(({ decisionId, createdAt }) => (
              <li key={decisionId}>
                <Link to="/decisions/$decisionId" params={{ decisionId }}>
                  {shortId(decisionId)}
                </Link>{' '}
                <span className="dim">
                  <Time at={createdAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}
