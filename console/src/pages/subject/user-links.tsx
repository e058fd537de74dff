// Which users were seen with a number? Each leads to its page; who is not known by name is counted.

import type { ShownNumber } from '../../api/types.ts'
import { Link } from '../../parts/link.tsx'
import { Time } from '../../parts/values/time.tsx'
import './subject.css'

export function UserLinks({ links, unknown }: { links: ShownNumber['accounts']; unknown: number }) {
  return (
    <>
      {links.length + unknown === 0 && <p className="dim">No decision or sign-in names a user with it.</p>}
      <ul className="counts">
        {links.map(({ userId, lastSeenAt }) => (
          <li key={userId}>
            <Link to="/user" hash={encodeURIComponent(userId)}>
              {userId}
            </Link>
            <span className="dim">
              <Time at={lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
      {unknown > 0 && <p className="dim">{unknown} more: not known here, because only keyed hashes are stored.</p>}
    </>
  )
}
