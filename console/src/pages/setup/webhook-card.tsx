// How is a webhook doing? Its state, what waits, why it fails and what to do; and how it is changed.

import { useState } from 'react'
import { MenuTrigger } from 'react-aria-components'
import { useMay } from '../../api/session.tsx'
import type { AddedWebhook, ShownWebhook } from '../../api/types.ts'
import { useChange } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { Item, Menu } from '../../parts/overlay.tsx'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { Deliveries } from './deliveries.tsx'
import { Replay } from './replay.tsx'
import './setup.css'

/** A delivery is done in seconds: what waits longer has failed and is tried again. */
const lateMs = 60_000

const stateNames = { active: 'Active', paused: 'Paused', disabled: 'Disabled' } as const
const stateTones = { active: 'green', paused: 'amber', disabled: 'red' } as const

/** Calls whose answers change with a webhook. */
const reads = ['listWebhooks', 'listWebhookAttempts']

const whatToDo = {
  active: 'The service tries again, less and less often, for days. Fix your server; nothing is lost meanwhile.',
  paused: 'Events wait until you resume it.',
  disabled: 'It said that it is gone, or failed for days. Events do not wait: resume it, then replay what it missed.',
} as const

export function WebhookCard({ webhook, onSecret }: { webhook: ShownWebhook; onSecret: (added: AddedWebhook) => void }) {
  const { webhookId, url, description, types, state, failingSince, failure, waiting, waitingSince } = webhook
  const mayWrite = useMay()('webhooks.write')
  const isFailing = failingSince !== undefined
  const isLate = state === 'active' && waitingSince !== undefined && Date.now() - Date.parse(waitingSince) > lateMs
  const [isOpen, setOpen] = useState(false)
  const [question, setQuestion] = useState<'remove' | 'rotate' | 'replay'>()
  const acting = useChange(
    (call, action: 'pauseWebhook' | 'resumeWebhook' | 'testWebhook') => call(action, { webhookId }),
    { reads, onDone: (_, action) => action === 'testWebhook' && setOpen(true) },
  )
  const act = (key: string) => {
    if (key === 'pause') acting.mutate('pauseWebhook')
    else if (key === 'test') acting.mutate('testWebhook')
    else setQuestion(key as 'remove')
  }
  return (
    <Card
      title={<code>{url}</code>}
      aside={
        <span className="card-actions">
          <Badge tone={isFailing ? 'red' : isLate ? 'amber' : stateTones[state]}>
            {isFailing ? 'Failing' : isLate ? 'Events wait' : stateNames[state]}
          </Badge>
          {mayWrite && state !== 'active' && (
            <Button kind="primary" isDisabled={acting.isPending} onPress={() => acting.mutate('resumeWebhook')}>
              Resume
            </Button>
          )}
          {mayWrite && (
            <MenuTrigger>
              <Button aria-label={`Change ${url}`}>Change</Button>
              <Menu onAction={(key) => act(String(key))} aria-label={`Change ${url}`}>
                {state === 'active' && <Item id="test">Send a test event</Item>}
                {state !== 'disabled' && <Item id="replay">Send events again</Item>}
                {state === 'active' && <Item id="pause">Pause</Item>}
                <Item id="rotate">Rotate the secret</Item>
                <Item id="remove">Remove</Item>
              </Menu>
            </MenuTrigger>
          )}
        </span>
      }
    >
      <Facts
        facts={[
          description === '' ? undefined : { name: 'For', value: description },
          { name: 'Events', value: types.includes('*') ? 'All that are always recorded' : types.join(', ') },
          {
            name: 'Waiting',
            value:
              waiting === 0 ? (
                'Nothing'
              ) : (
                <>
                  {waiting.toLocaleString(locale)}
                  {waiting >= 100_000 && ' or more'}
                  {waitingSince && (
                    <>
                      , the oldest from <Time at={waitingSince} />
                    </>
                  )}
                </>
              ),
          },
          failingSince === undefined ? undefined : { name: 'Failing since', value: <Time at={failingSince} /> },
          failure === undefined ? undefined : { name: 'Because', value: failure },
          !isFailing && !isLate && state === 'active' ? undefined : { name: 'What to do', value: whatToDo[state] },
        ]}
      />
      {acting.error && <CallError error={acting.error} />}
      <p className="card-foot">
        <Button kind="quiet" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Hide deliveries' : 'Show deliveries'}
        </Button>
      </p>
      {isOpen && <Deliveries webhookId={webhookId} mayReplay={mayWrite && state !== 'disabled'} />}
      <Confirm
        title="Rotate the secret?"
        action="Make a new secret"
        kind="primary"
        isOpen={question === 'rotate'}
        onClose={() => setQuestion(undefined)}
        onConfirm={async (call) => onSecret(await call('rotateWebhook', { webhookId }))}
      >
        <p>
          For a day, each delivery has a signature of the new secret and one of the old. Change your server in that
          time.
        </p>
      </Confirm>
      <Confirm
        title="Remove the webhook?"
        action="Remove"
        isOpen={question === 'remove'}
        onClose={() => setQuestion(undefined)}
        onConfirm={(call) => call('removeWebhook', { webhookId })}
        reads={reads}
      >
        <p>
          {waiting === 0
            ? 'No event waits for it.'
            : `The ${waiting.toLocaleString(locale)} events that wait are dropped.`}{' '}
          It cannot be undone; you can add it again, with a new secret.
        </p>
      </Confirm>
      {question === 'replay' && <Replay webhookId={webhookId} onClose={() => setQuestion(undefined)} reads={reads} />}
    </Card>
  )
}
