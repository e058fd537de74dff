// What must be known before an action is allowed? By action, with what is done otherwise.

import type { ShownRules } from '../../api/types.ts'
import { ActionBadge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { operationName } from '../../parts/values/format.ts'
import './rules.css'

type Shown = Pick<ShownRules, 'require' | 'otherwise' | 'warnBelow'>

const partNames = { login: 'a sign-in', device: 'a device report', phone: 'the phone number' } as const

export function RequirementsCard({ shown: { require = {}, otherwise = 'CHALLENGE' } }: { shown: Shown }) {
  const actions = Object.entries(require).filter(([, parts]) => parts.length > 0)
  return (
    <Card title="What must be known">
      {actions.length === 0 && <p className="dim">Nothing: a decision is made with what the request names.</p>}
      <dl className="velocities">
        {actions.map(([action, parts]) => (
          <div key={action}>
            <dt>
              <b>{operationName(action)}</b>
            </dt>
            <dd>
              {parts.map((part) => partNames[part]).join(' and ')}, otherwise{' '}
              <ActionBadge action={typeof otherwise === 'string' ? otherwise : (otherwise[action] ?? 'CHALLENGE')} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
