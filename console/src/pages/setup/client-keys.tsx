// Which backends may call? Client keys: made, rotated without a gap, and revoked.

import { useState } from 'react'
import { MenuTrigger } from 'react-aria-components'
import { useMay } from '../../api/session.tsx'
import type { IssuedClient, ShownClient } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Answer } from '../../parts/answer.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { ShownOnce } from '../../parts/forms/shown-once.tsx'
import { Item, Menu } from '../../parts/overlay.tsx'
import { Table } from '../../parts/table.tsx'
import { shortId } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import { NewKey } from './new-key.tsx'
import './setup.css'

type Change = 'rotate' | 'revoke-older' | 'revoke'

export function ClientKeys() {
  const mayWrite = useMay()('keys.write')
  const [isMaking, setMaking] = useState(false)
  const [issued, setIssued] = useState<IssuedClient>()
  const [changing, setChanging] = useState<{ client: ShownClient; change: Change }>()
  const answer = useRead('listClients', {})
  const newKey = mayWrite && (
    <Button kind={answer.data?.clients.length === 0 ? 'primary' : 'plain'} onPress={() => setMaking(true)}>
      New key
    </Button>
  )
  return (
    <Card title="Client keys" flush aside={newKey}>
      <Answer of={answer} lines={3}>
        {(data) =>
          data.clients.length === 0 ? (
            <Empty icon="account" title="No keys yet">
              A backend calls with a client id and a secret. The secret belongs on your server, never in a page or an
              app.
            </Empty>
          ) : (
            <KeyTable
              clients={data.clients}
              onChange={mayWrite ? (client, change) => setChanging({ client, change }) : undefined}
            />
          )
        }
      </Answer>
      {isMaking && <NewKey onClose={() => setMaking(false)} onMade={setIssued} />}
      {changing && <ChangeKey {...changing} onClose={() => setChanging(undefined)} onIssued={setIssued} />}
      <SecretOf issued={issued} onClose={() => setIssued(undefined)} />
    </Card>
  )
}

/** The new secret, in a dialog. */
export const SecretOf = ({ issued, onClose }: { issued: IssuedClient | undefined; onClose: () => void }) => (
  <ShownOnce
    title="The secret of the key"
    values={issued && { 'Client id': issued.clientId, Secret: issued.clientSecret }}
    onClose={onClose}
  />
)

interface KeyTableProps {
  clients: readonly ShownClient[]
  onChange: ((client: ShownClient, change: Change) => void) | undefined
}

function KeyTable({ clients, onChange }: KeyTableProps) {
  const revokedLast = clients.toSorted((a, b) => Number(Boolean(a.revokedAt)) - Number(Boolean(b.revokedAt)))
  return (
    <Table
      head={{
        Name: '',
        'Client id': 'wide',
        'May call': 'wide',
        From: 'wide',
        'Last used': 'wide',
        State: '',
        ...(onChange && { Change: 'hidden' }),
      }}
    >
      {revokedLast.map((client) => (
        <KeyRow key={client.clientId} client={client} onChange={onChange} />
      ))}
    </Table>
  )
}

function KeyRow({ client, onChange }: { client: ShownClient; onChange: KeyTableProps['onChange'] }) {
  const { clientId, name, scopes, role, allowedIps, lastUsedAt, revokedAt } = client
  return (
    <tr>
      <td>{name}</td>
      <td className="wide">
        <Copy value={clientId}>{shortId(clientId)}</Copy>
      </td>
      <td className="wide">
        {scopes?.join(', ') ?? 'Every call of a backend'}
        {role && <p className="dim">Admin API as {role}</p>}
      </td>
      <td className="wide">{allowedIps?.join(', ') ?? 'Everywhere'}</td>
      <td className="wide dim">{lastUsedAt ? <Time at={lastUsedAt} /> : 'Never'}</td>
      <td>
        <KeyState client={client} />
      </td>
      {onChange && (
        <td className="number">
          {!revokedAt && (
            <MenuTrigger>
              <Button kind="quiet" aria-label={`Change ${name}`}>
                Change
              </Button>
              <Menu onAction={(key) => onChange(client, key as Change)} aria-label={`Change ${name}`}>
                {client.liveSecrets < 2 ? (
                  <Item id="rotate">Rotate the secret</Item>
                ) : (
                  <Item id="revoke-older">Revoke the older secret</Item>
                )}
                <Item id="revoke">Revoke the key</Item>
              </Menu>
            </MenuTrigger>
          )}
        </td>
      )}
    </tr>
  )
}

function KeyState({ client: { revokedAt, expiresAt, liveSecrets } }: { client: ShownClient }) {
  if (revokedAt) return <Badge tone="red">Revoked</Badge>
  if (expiresAt && Date.parse(expiresAt) < Date.now()) return <Badge>Expired</Badge>
  return (
    <>
      {liveSecrets > 1 ? <Badge tone="amber">Two secrets</Badge> : <Badge tone="green">Active</Badge>}
      {expiresAt && (
        <p className="dim">
          until <Time at={expiresAt} />
        </p>
      )}
    </>
  )
}

interface ChangeKeyProps {
  client: ShownClient
  change: Change
  onClose: () => void
  onIssued: (issued: IssuedClient) => void
}

const questions = {
  rotate: { title: 'Rotate the secret of', action: 'Make a second secret', kind: 'primary' },
  'revoke-older': { title: 'Revoke the older secret of', action: 'Revoke the older secret', kind: 'danger' },
  revoke: { title: 'Revoke', action: 'Revoke the key', kind: 'danger' },
} as const

function ChangeKey({ client: { clientId, name, lastUsedAt }, change, onClose, onIssued }: ChangeKeyProps) {
  const { title, action, kind } = questions[change]
  return (
    <Confirm
      title={`${title} ${name}?`}
      action={action}
      kind={kind}
      isOpen
      onClose={onClose}
      onConfirm={async (call) => {
        if (change === 'rotate') onIssued(await call('rotateClient', { clientId }))
        else await call(change === 'revoke' ? 'revokeClient' : 'revokeOlderSecrets', { clientId })
      }}
      reads={['listClients']}
    >
      {change === 'rotate' && (
        <p>
          A second secret is made, and the current one stays valid. When every backend uses the new one, revoke the
          older one here.
        </p>
      )}
      {change === 'revoke-older' && <p>Backends that still use the older secret are refused within a second.</p>}
      {change === 'revoke' && (
        <p>
          Every backend that uses it is refused within a second. It cannot be undone.{' '}
          {lastUsedAt ? (
            <>
              It was last used <Time at={lastUsedAt} />.
            </>
          ) : (
            'It was never used.'
          )}
        </p>
      )}
    </Confirm>
  )
}
