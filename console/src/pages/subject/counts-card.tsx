// What do the velocities of the live rules count now?

import type { ShownCount } from '../../api/types.ts'
import { Card } from '../../parts/card.tsx'
import { fieldName } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import './subject.css'

const whatIsCounted = ({ measure, path }: ShownCount) =>
  measure === 'count' ? 'Decisions' : measure === 'sum' ? `Sum of ${path}` : `Different values of ${path}`

export function CountsCard({ counts, of }: { counts: readonly ShownCount[]; of: string }) {
  return (
    <Card title="Velocities">
      {counts.length === 0 ? (
        <p className="dim">The live rules have no velocity that counts per {of}.</p>
      ) : (
        <ul className="counts">
          {counts.map((count) => (
            <li key={count.name}>
              <span>
                <b>{fieldName(count.name)}</b>
                <span className="dim">
                  {whatIsCounted(count)} within {count.within}
                  {count.when !== undefined && (
                    <>
                      {' when '}
                      <code>{count.when}</code>
                    </>
                  )}
                </span>
              </span>
              <b className="figures">{count.value.toLocaleString(locale)}</b>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
