// What did the open rule do in 30 days, and which cases does it have?

import type { ShownRule } from '../../api/types.ts'
import { Card } from '../../parts/card.tsx'
import { percent } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import type { Figures, InShadow } from './figures.ts'
import { Spark } from './spark.tsx'
import './rules.css'

export function RuleFiguresCard({ figures }: { figures: Figures | undefined }) {
  if (!figures) return null
  const { shadow, month } = figures
  return (
    <>
      {shadow && <InShadowCard shadow={shadow} />}
      {(!shadow || month > 0) && <MonthCard figures={figures} />}
    </>
  )
}

function MonthCard({
  figures: { byDay, month, decided, badShare, bad, good, goodStopped, overturned },
}: {
  figures: Figures
}) {
  return (
    <Card title="Last 30 days" aside={<span className="dim">{figure(month)} fired</span>}>
      {month === 0 ? (
        <p className="dim">It fired in no decision.</p>
      ) : (
        <>
          <Spark counts={byDay} isLarge />
          <dl className="rule-figures">
            <Figure name="Decided" value={figure(decided)} />
            <Figure name="Fraud among labelled" value={`${percent(badShare)} of ${figure(bad + good)}`} />
            <Figure name="Good people hit" value={figure(goodStopped)} />
            <Figure name="Approved by review" value={figure(overturned)} />
          </dl>
        </>
      )}
    </Card>
  )
}

const figure = (count: number) => count.toLocaleString(locale)

function InShadowCard({ shadow: { decisions, fired, otherwise } }: { shadow: InShadow }) {
  return (
    <Card title="In shadow" aside={decisions > 0 && <span className="dim">{figure(fired)} would have fired</span>}>
      <p className="dim">
        {decisions === 0
          ? 'No decision was made since it runs in shadow.'
          : fired === 0
            ? `It would have fired in none of the last ${figure(decisions)} decisions.`
            : `Of the last ${figure(decisions)} decisions, it would have fired in ${figure(fired)}; ${figure(otherwise)} of these would have had another action.`}
      </p>
    </Card>
  )
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd className="figures">{value}</dd>
  </div>
)

type Cases = NonNullable<ShownRule['cases']>

interface CasesCardProps {
  cases: Cases
  /** Numbers of those that do not hold, from 1. */
  failed?: ReadonlySet<number>
}

export function CasesCard({ cases, failed = new Set() }: CasesCardProps) {
  return (
    <Card title="Cases" aside={cases.length > 0 && <span className="dim">{cases.length}</span>}>
      {cases.length === 0 ? (
        <p className="dim">None.</p>
      ) : (
        <ol className="rule-cases">
          {cases.map((each, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cases have no id, and are read only
            <li key={index} data-failed={failed.has(index + 1) || undefined}>
              <b>{each.name ?? `Case ${index + 1}`}</b> {each.fires ? 'fires' : 'stays silent'}
              {failed.has(index + 1) && ' – fails'}
              <code>{inputText(each.fires ?? each.silent ?? {})}</code>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

const inputText = (input: Readonly<Record<string, unknown>>): string =>
  Object.entries(input)
    .map(([path, value]) => `${path}: ${JSON.stringify(value)}`)
    .join(', ')
