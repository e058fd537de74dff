// Under which other ids is this user known? Yours, and those that were minted for sign-ins that are linked to it.

import type { ShownUser } from '../../api/types.ts'
import { Card } from '../../parts/card.tsx'
import { UserLink } from '../decision/evidence.tsx'
import '../subject/subject.css'

export function AlsoKnownAs({ linkedTo, personIds }: Pick<ShownUser, 'linkedTo' | 'personIds'>) {
  if (linkedTo === undefined && personIds.length === 0) return null
  return (
    <Card title="Also known as">
      <ul className="counts">
        {linkedTo !== undefined && (
          <li>
            <UserLink userId={linkedTo} />
            <span className="dim">your id</span>
          </li>
        )}
        {personIds.map((id) => (
          <li key={id}>
            <UserLink userId={id} />
            <span className="dim">id of a sign-in</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
