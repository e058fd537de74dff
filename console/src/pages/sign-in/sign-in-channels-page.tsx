// How do people sign in, and does it work? Channels, what became of sign-ins and messages, limits, costs, the outbox.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { SignInSetUp } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { Empty, Failed, Loading } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Table } from '../../parts/table.tsx'
import { locale } from '../../parts/values/locale.ts'
import { texts } from '../../texts.ts'
import { methodName } from '../../words/methods.ts'
import { Counts } from './counts.tsx'
import { Outbox } from './outbox.tsx'
import { TestChannel } from './test-channel.tsx'
import '../setup/setup.css'
import './sign-in-channels.css'

const ranges = { '1': 'Today', '7': '7 days', '30': '30 days' } as const
type Range = keyof typeof ranges

export function SignInChannelsPage() {
  const may = useMay()
  const navigate = useNavigate()
  const { days = 7 } = useSearch({ from: '/sign-in' })
  const setUp = useRead('readSignIn', {}, { refetchInterval: 30_000 })
  const [testing, setTesting] = useState<SignInSetUp['channels'][number]>()
  if (setUp.error && !setUp.data) return <Failed error={setUp.error} onRetry={() => void setUp.refetch()} />
  if (!setUp.data) return <Loading />
  const { channels, limits, apps, outbox } = setUp.data
  return (
    <>
      <PageHead
        title={texts.pages.signIn}
        under="How people sign in, and what became of the messages that they asked for."
      >
        <Select
          label="Time"
          bare
          options={ranges}
          value={String(days) as Range}
          onChange={(range) => void navigate({ to: '/sign-in', search: { days: Number(range) } })}
        />
      </PageHead>
      <div className="stack">
        <Card title="Channels" flush={channels.length > 0}>
          {channels.length === 0 ? (
            <Empty icon="login" title="No channels yet">
              A channel sends codes and links, or leads to an identity provider. It is a part of the configuration file:
              docs/guides/sign-in.md.
            </Empty>
          ) : (
            <ChannelTable channels={channels} onTest={may('signins.test') ? setTesting : undefined} />
          )}
        </Card>
        <Counts days={days} />
        <div className="pair">
          <Card title="Messages against their limits">
            {apps.length === 0 && <p className="dim">No app sends messages yet.</p>}
            <Facts
              facts={apps.map(({ appId, name, sentThisHour, mostPerHour }) => ({
                name: `${name}, this hour`,
                value: (
                  <span className="figures">
                    {sentThisHour.toLocaleString(locale)} of {mostPerHour.toLocaleString(locale)}{' '}
                    {sentThisHour >= mostPerHour * 0.8 && <Badge tone="amber">Nearly used up</Badge>}
                    <span className="visually-hidden">{appId}</span>
                  </span>
                ),
              }))}
            />
            <details className="settings">
              <summary>{limits.length} limits of each message</summary>
              <Facts
                facts={limits.map(({ name, most, of }) => ({
                  name: of,
                  value: <span title={name}>{most.toLocaleString(locale)}</span>,
                }))}
              />
            </details>
          </Card>
          <Card title="Costs">
            <Facts
              facts={[
                { name: 'Price of a message', value: texts.common.unknown },
                { name: 'Costs so far', value: texts.common.unknown },
              ]}
            />
            <p className="dim note">
              Gateways do not say what a message costs. Multiply the accepted messages by the price of your contract.
            </p>
          </Card>
        </div>
        {outbox === 'open' && may('signins.test') && <Outbox />}
      </div>
      {testing && <TestChannel channel={testing} onClose={() => setTesting(undefined)} />}
    </>
  )
}

interface ChannelTableProps {
  channels: SignInSetUp['channels']
  onTest: ((channel: SignInSetUp['channels'][number]) => void) | undefined
}

function ChannelTable({ channels, onTest }: ChannelTableProps) {
  return (
    <Table head={{ Name: '', Method: 'wide', Kind: 'wide', State: '', ...(onTest && { Test: 'hidden' }) }}>
      {channels.map((channel) => (
        <tr key={channel.name}>
          <td>{channel.name}</td>
          <td className="wide">{methodName(channel.method)}</td>
          <td className="wide dim">
            {channel.form === 'redirect' ? 'Identity provider' : 'Messages'}, {channel.type}
          </td>
          <td>{channel.sends ? <Badge tone="green">Configured</Badge> : <Badge tone="amber">Sends nothing</Badge>}</td>
          {onTest && (
            <td className="number">
              {channel.form === 'message' && (
                <Button kind="quiet" aria-label={`Test ${channel.name}`} onPress={() => onTest(channel)}>
                  Test
                </Button>
              )}
            </td>
          )}
        </tr>
      ))}
    </Table>
  )
}
