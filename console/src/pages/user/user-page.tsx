// Who is this user to the service? Devices that the account trusts, what is usual, and everything that happened.

import { useLocation } from '@tanstack/react-router'
import { useMay } from '../../api/session.tsx'
import type { ShownUser } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { identityName } from '../../words/methods.ts'
import { NumberLink } from '../decision/evidence.tsx'
import { UsersTable } from '../entities/users-page.tsx'
import { AddToList } from '../subject/add-to-list.tsx'
import { CountsCard } from '../subject/counts-card.tsx'
import { PrivacyLink } from '../subject/privacy-link.tsx'
import { useReveal } from '../subject/reveal.tsx'
import { toneOfState } from '../subject/state.ts'
import { SubjectEvents } from '../subject/subject-events.tsx'
import { AlsoKnownAs } from './also-known-as.tsx'
import { LastRefused } from './last-refused.tsx'
import { UserDevices } from './user-devices.tsx'
import { UsualCard } from './usual-card.tsx'
import './user.css'
import '../subject/subject.css'

export function UserPage() {
  const userId = decodeURIComponent(useLocation().hash)
  return userId === '' ? <UsersTable /> : <UserOf key={userId} userId={userId} />
}

const groups = {
  decisions: { name: 'Decisions', types: ['decision.*'] },
  signIns: { name: 'Sign-ins', types: ['sign_in.*', 'otp.*', 'token.*'] },
  devices: { name: 'Devices', types: ['device.*', 'account.*'] },
  labels: { name: 'Labels', types: ['label.*'] },
} as const

function UserOf({ userId }: { userId: string }) {
  const may = useMay()
  const { data, error, refetch } = useRead('readUser', { userId })
  const { record, control } = useReveal<ShownUser>({ kind: 'user', id: userId })
  const user = record ?? data
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHead
        over="User"
        title={userId}
        beside={<Copy value={userId}>{''}</Copy>}
        {...(user && { tone: toneOfState(user.state), under: <span>{user.state.text}</span> })}
      >
        {control}
        <PrivacyLink subject={{ kind: 'userId', value: userId }} />
        <AddToList kind="userId" value={userId} />
      </PageHead>
      <div className="subject">
        <div className="subject-main">
          {may('decisions.read') && <LastRefused userId={userId} />}
          <UserDevices userId={userId} />
          {may('decisions.read') && (
            <SubjectEvents
              subject={{ userId }}
              groups={groups}
              none="Ids are those of your backend, and are compared letter by letter."
            />
          )}
        </div>
        <div className="subject-side">{user ? <Side userId={userId} user={user} /> : <Loading lines={8} />}</div>
      </div>
    </>
  )
}

function Side({ userId, user }: { userId: string; user: ShownUser }) {
  const { identities, numbers, labels, velocities, usual } = user
  const isUnknown = [identities, numbers, labels].every(({ length }) => length === 0)
  return (
    <>
      {isUnknown && (
        <Link to="/search" hash={`transaction=${encodeURIComponent(userId)}`}>
          Search as transaction
        </Link>
      )}
      <AlsoKnownAs {...user} />
      <UsualCard usual={usual} />
      <Card title="Phone numbers">
        {numbers.length === 0 && <p className="dim">No decision or sign-in of the user has a phone number.</p>}
        <ul className="counts">
          {numbers.map(({ phoneNumber, firstSeenAt, lastSeenAt }) => (
            <li key={`${phoneNumber} ${firstSeenAt}`}>
              <NumberLink phoneNumber={phoneNumber} />
              <span className="dim">
                <Time at={lastSeenAt} />
              </span>
            </li>
          ))}
        </ul>
      </Card>
      {identities.length > 0 && (
        <Card title="Verified here">
          <ul className="counts">
            {identities.map(({ type, value }) => (
              <li key={`${type} ${value}`}>
                <span>{value}</span>
                <span className="dim">{identityName(type)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {labels.length > 0 && (
        <Card title="Labels">
          <ul className="counts">
            {labels.map(({ label, knownAt, dfrId, decisionId }) => (
              <li key={`${dfrId} ${decisionId} ${knownAt}`}>
                <Badge tone={label === 'legitimate' ? 'green' : 'red'}>{texts.labels[label]}</Badge>
                <span className="dim">
                  <Time at={knownAt} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <CountsCard counts={velocities} of="user" />
    </>
  )
}
