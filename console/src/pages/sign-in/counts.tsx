// What became of sign-ins and messages? By method and by day.

import type { SignInCounts } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Table } from '../../parts/table.tsx'
import { dayText, percent } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { failureName } from '../../words/events.ts'
import { methodName } from '../../words/methods.ts'
import '../setup/setup.css'
import './sign-in-channels.css'

type Count = SignInCounts['counts'][number]

const columns = {
  started: ({ type }: Count) => type === 'sign_in.started',
  accepted: ({ type, outcome }: Count) => type === 'otp.delivery' && outcome === 'accepted',
  undelivered: ({ type, outcome }: Count) => type === 'otp.delivery' && outcome !== 'accepted',
  refused: ({ type }: Count) => type === 'sign_in.refused',
  wrong: ({ type }: Count) => type === 'sign_in.failed',
  completed: ({ type }: Count) => type === 'sign_in.completed',
} as const
type Column = keyof typeof columns

const heads: Readonly<Record<Column, string>> = {
  started: 'Started',
  accepted: 'Messages sent',
  undelivered: 'Not accepted',
  refused: 'Refused',
  wrong: 'Wrong code',
  completed: 'Signed in',
}
const narrowColumns: readonly Column[] = ['started', 'completed']

export function Counts({ days }: { days: number }) {
  const { data, error, refetch } = useRead('countSignIns', { days })
  if (error && !data)
    return (
      <Card title="Sign-ins and messages">
        <Failed error={error} onRetry={() => void refetch()} />
      </Card>
    )
  if (!data)
    return (
      <Card title="Sign-ins and messages">
        <Loading lines={4} />
      </Card>
    )
  const { counts, reasons, isComplete, since } = data
  return (
    <>
      <Card title="By method" flush>
        {counts.length === 0 ? (
          <p className="dim none">
            Nobody has signed in since <Time at={since} />.
          </p>
        ) : (
          <CountTable name="Method" rows={Map.groupBy(counts, ({ method }) => methodName(method))} />
        )}
      </Card>
      {counts.length > 0 && (
        <Card title="By day" flush>
          <CountTable name="Day (UTC)" rows={Map.groupBy(counts, ({ day }) => dayText(day))} />
        </Card>
      )}
      {reasons.length > 0 && (
        <Card title="Why messages and sign-ins failed">
          <Facts
            facts={reasons.map(({ reason, count }) => ({
              name: failureName(reason),
              value: <span className="figures">{count.toLocaleString(locale)}</span>,
            }))}
          />
        </Card>
      )}
      {!isComplete && (
        <p className="dim note">
          There were more events than are counted here: these are the newest 1,000 of each kind. Metrics have all of
          them.
        </p>
      )}
    </>
  )
}

function CountTable({ name, rows }: { name: string; rows: ReadonlyMap<string, readonly Count[]> }) {
  const sum = (counts: readonly Count[], column: Column) =>
    counts.filter(columns[column]).reduce((total, { count }) => total + count, 0)
  const wide = (column: Column) => (narrowColumns.includes(column) ? 'number' : 'number wide')
  return (
    <Table
      head={{
        [name]: '',
        ...Object.fromEntries(Object.entries(heads).map(([column, head]) => [head, wide(column as Column)])),
        Share: 'number',
      }}
    >
      {[...rows].map(([key, counts]) => {
        const started = sum(counts, 'started')
        return (
          <tr key={key}>
            <td>{key}</td>
            {Object.keys(heads).map((column) => (
              <td key={column} className={`${wide(column as Column)} figures`}>
                {sum(counts, column as Column).toLocaleString(locale)}
              </td>
            ))}
            <td className="number figures dim">
              {started === 0 ? '–' : percent(Math.min(1, sum(counts, 'completed') / started))}
            </td>
          </tr>
        )
      })}
    </Table>
  )
}
