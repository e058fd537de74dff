// How do people of the tenant sign in with the identity provider of their company? An owner says so.

import { useState } from 'react'
import { useMay, useSession } from '../../../api/session.tsx'
import type { SingleSignOn } from '../../../api/types.ts'
import { useRead } from '../../../api/use-call.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Card, Facts } from '../../../parts/card.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { Empty, Failed, Loading } from '../../../parts/empty.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { texts } from '../../../texts.ts'
import { PeopleTabs } from '../people-tabs.tsx'
import { RemoveSso, SsoDialog } from './sso-dialogs.tsx'
import './sso.css'

export function SsoSettingsPage() {
  const { me } = useSession()
  const may = useMay()
  const [open, setOpen] = useState<'edit' | 'remove'>()
  const { data, error, refetch } = useRead('readSso', {})
  const isOwner = me?.role === 'owner' && me.session !== undefined && may('people.write')
  const close = () => setOpen(undefined)
  return (
    <>
      <PageHead title={texts.sso.title} under={texts.sso.under}>
        {data?.connection && isOwner && (
          <>
            <Button onPress={() => setOpen('remove')}>{texts.sso.remove}</Button>
            <Button kind="primary" onPress={() => setOpen('edit')}>
              {texts.sso.edit}
            </Button>
          </>
        )}
      </PageHead>
      <PeopleTabs />
      {data ? (
        <Settings sso={data} onSetUp={isOwner ? () => setOpen('edit') : undefined} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
      {data && open === 'edit' && <SsoDialog sso={data} onClose={close} />}
      {data && open === 'remove' && <RemoveSso version={data.version} onClose={close} />}
    </>
  )
}

interface SettingsProps {
  sso: SingleSignOn
  /** Absent: only an owner does. */
  onSetUp: (() => void) | undefined
}

function Settings({ sso: { connection, callbackUrl }, onSetUp }: SettingsProps) {
  if (!connection)
    return (
      <Empty
        icon="login"
        title={texts.sso.none}
        action={
          onSetUp && (
            <Button kind="primary" onPress={onSetUp}>
              {texts.sso.setUp}
            </Button>
          )
        }
      >
        {onSetUp ? texts.sso.noneHelp : texts.sso.ownersOnly}
      </Empty>
    )
  return (
    <div className="sso">
      <Card
        title={connection.name}
        aside={<Badge tone={connection.isEnabled ? 'green' : 'neutral'}>{connection.isEnabled ? 'On' : 'Off'}</Badge>}
      >
        <Facts
          facts={[
            { name: 'Issuer', value: connection.issuer },
            { name: 'Client id', value: connection.clientId },
            { name: 'Client secret', value: connection.hasSecret ? 'Stored' : 'None: a public client with PKCE' },
            { name: 'Scopes', value: connection.scopes.join(' ') },
            { name: 'Redirect URI', value: <Copy value={callbackUrl} /> },
            { name: 'Sign-in URL', value: <Copy value={connection.signInUrl} /> },
            { name: 'Sign-in page', value: connection.isListed ? 'Offers it to everybody' : 'Does not show it' },
            { name: 'First sign-in', value: connection.makesPeople ? 'Makes the person' : 'Is refused' },
            { name: 'Passwords and passkeys', value: texts.sso.passwords[connection.passwords] },
          ]}
        />
      </Card>
      <Card title={texts.sso.rolesOfGroups} flush>
        {connection.roles.length === 0 ? (
          <p className="sso-no-roles dim">{texts.sso.noRoles}</p>
        ) : (
          <table className="table">
            <thead>
              <tr>
                <th>
                  Value of <code>{connection.groupsClaim}</code>
                </th>
                <th>Role</th>
              </tr>
            </thead>
            <tbody>
              {connection.roles.map(({ group, role }) => (
                <tr key={group}>
                  <td className="sso-group">{group}</td>
                  <td>{role}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
    </div>
  )
}
