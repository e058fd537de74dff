// Who saw whose data in clear, although the role has it masked? From the audit log, without saying whose.

import type { AnswerOf } from '../../api/call.ts'
import { usePages } from '../../api/use-call.ts'
import { More } from '../../parts/answer.tsx'
import { Empty, Failed, Loading } from '../../parts/empty.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import './privacy.css'

type Reveal = AnswerOf<'listReveals'>['reveals'][number]

const kindNames: Readonly<Record<NonNullable<Reveal['kind']>, string>> = {
  decision: 'Decision',
  deviceReport: 'Device report',
  event: 'Event',
  device: 'Device',
  user: 'User',
  phoneNumber: 'Phone number',
}

export function Reveals() {
  const answer = usePages('listReveals', { limit: 20 }, (pages) => pages.flatMap(({ reveals }) => reveals))
  const { data, error, refetch } = answer
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <section>
      <h2>Reveals</h2>
      {data.length === 0 && !answer.hasNextPage ? (
        <Empty icon="privacy" title="Nothing was revealed yet">
          Some roles see personal data masked. Each record that they open in clear is listed here, with the reason.
        </Empty>
      ) : (
        <div className="table-frame">
          <Table head={{ When: '', Who: '', What: '', Reason: 'wide', 'Audit line': 'number wide' }}>
            {data.map(({ line, at, by, kind, reason }) => (
              <tr key={line}>
                <td className="dim">
                  <Time at={at} />
                </td>
                <td className="reveal-by">{by}</td>
                <td>{kind === undefined ? <span className="dim">Erased since</span> : kindNames[kind]}</td>
                <td className="wide">{reason}</td>
                <td className="number wide dim figures">{line}</td>
              </tr>
            ))}
          </Table>
          <More of={answer}>{data.length === 0 ? 'Look further back' : texts.common.more}</More>
        </div>
      )}
    </section>
  )
}
