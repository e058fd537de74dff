// Who am I here, and where am I signed in?

import { useSession } from '../../api/session.tsx'
import type { ConsoleSession } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Answer } from '../../parts/answer.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { Factors } from './factors.tsx'
import { Passkeys } from './passkeys.tsx'
import './account.css'

export function AccountPage() {
  const { me } = useSession()
  const answer = useRead('listSessions', {})
  return (
    <>
      <PageHead title={texts.pages.account} />
      <div className="account-page">
        {me && (
          <Card title="You">
            <Facts
              facts={[
                me.person && { name: 'Name', value: me.person.name },
                me.person && { name: 'Email address', value: me.person.email },
                me.person?.singleSignOn !== undefined
                  ? { name: 'You sign in with', value: me.person.singleSignOn }
                  : undefined,
                { name: 'Tenant', value: me.tenant.name },
                { name: 'Role', value: me.role },
              ]}
            />
            <details className="permissions">
              <summary>{me.permissions.length} permissions</summary>
              <ul>
                {me.permissions.map((permission) => (
                  <li key={permission}>
                    <code>{permission}</code>
                  </li>
                ))}
              </ul>
            </details>
          </Card>
        )}
        {me?.person && me.person.singleSignOn === undefined && <Factors />}
        {me?.person && me.person.singleSignOn === undefined && <Passkeys />}
        <Card title="Where you are signed in">
          <Answer of={answer} lines={3} isStrict>
            {(data) => (
              <ul className="sessions">
                {data.sessions.map((session) => (
                  <Session key={session.sessionId} session={session} />
                ))}
              </ul>
            )}
          </Answer>
        </Card>
      </div>
    </>
  )
}

function Session({ session: { sessionId, current, startedAt, lastUsedAt, endsAt } }: { session: ConsoleSession }) {
  const ending = useChange((call) => call('endSession', { sessionId }), { reads: ['listSessions'] })
  return (
    <li>
      <div>
        <p>
          Since <Time at={startedAt} />
        </p>
        <p className="dim">
          Last used <Time at={lastUsedAt} />, ends <Time at={endsAt} />
        </p>
        {ending.error && <CallError error={ending.error} />}
      </div>
      {current ? (
        <Badge tone="green">This one</Badge>
      ) : (
        <Button onPress={() => ending.mutate()} isDisabled={ending.isPending}>
          End
        </Button>
      )}
    </li>
  )
}
