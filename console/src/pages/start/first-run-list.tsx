// Which of the first steps are done, and how is the next one taken?

import { type ReactNode, useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { FoundEvent, IssuedClient } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { isAction } from '../../parts/actions.ts'
import { ActionBadge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../parts/link.tsx'
import { Time } from '../../parts/values/time.tsx'
import { AppDialog } from '../setup/app-dialog.tsx'
import { SecretOf } from '../setup/client-keys.tsx'
import { NewKey } from '../setup/new-key.tsx'
import { Snippets } from '../setup/snippets.tsx'
import { TryDialog } from '../try/try-decision.tsx'
import { useFirstDecision } from './first-run.ts'
import './start.css'

/** For the Overview too. Looks for the first decision while it is on the screen. */
export function FirstRun() {
  const may = useMay()
  const [open, setOpen] = useState<'key' | 'app' | 'try'>()
  const [tried, setTried] = useState<Shown>()
  const [issued, setIssued] = useState<IssuedClient>()
  const clients = useRead('listClients', {}, { enabled: may('keys.read') })
  const apps = useRead('listApps', {})
  const { decision, error: notFound } = useFirstDecision({ isWatching: true })
  const error = clients.error ?? apps.error ?? notFound
  if (error && !apps.data) return <Failed error={error} onRetry={() => void apps.refetch()} />
  if (!apps.data || (may('keys.read') && !clients.data) || (may('decisions.read') && decision === undefined))
    return <Loading />

  // A key with a role calls the admin API only.
  const keys = clients.data?.clients.filter(({ role }) => role === undefined) ?? []
  const key = keys.findLast(({ revokedAt, expiresAt }) => !revokedAt && !isPast(expiresAt))
  const app = apps.data.apps.findLast(({ disabledAt }) => !disabledAt)
  const isCalled = Boolean(decision) || keys.some(({ lastUsedAt }) => lastUsedAt !== undefined)
  // Whoever tries one wants to see that one, whatever arrives meanwhile.
  const shown = tried ?? (decision ? shownOf(decision) : undefined)
  return (
    <>
      <ol className="steps">
        <Step
          title="Make a client key"
          isDone={key !== undefined}
          done={
            key && (
              <>
                {key.name} <Copy value={key.clientId} /> Its secret was shown once, when it was made.
              </>
            )
          }
          action={
            may('keys.write') && (
              <Button kind="primary" onPress={() => setOpen('key')}>
                Make a key
              </Button>
            )
          }
        >
          Your backend calls with it. The secret is shown once, and belongs on your server only.
        </Step>
        <Step
          title="Create an app"
          isDone={app !== undefined}
          done={
            app && (
              <>
                {app.name} <Copy value={app.appId} />
              </>
            )
          }
          action={
            may('apps.write') && (
              <Button kind={key ? 'primary' : 'plain'} onPress={() => setOpen('app')}>
                Create an app
              </Button>
            )
          }
        >
          Your web site or mobile app calls with its id, which is public. Without one, you can decide about phone
          numbers only.
        </Step>
        <Step title="Make the first call" isDone={Boolean(isCalled)} isOpen={!decision}>
          Try one from here, or paste this into a terminal or into your code. Your ids are filled in; add the secret of
          the key.
          {may('decisions.try') && (
            <div className="step-try">
              <Button kind="primary" onPress={() => setOpen('try')}>
                Try a decision
              </Button>
            </div>
          )}
          <Snippets appId={app?.appId} clientId={issued?.clientId ?? key?.clientId} />
        </Step>
        <Step title="See the first decision" isDone={Boolean(shown)} done={shown && <Arrived {...shown} />}>
          <span className="waiting" role="status">
            <i aria-hidden="true" /> Waiting. It appears here automatically.
          </span>
        </Step>
      </ol>
      {open === 'key' && <NewKey onClose={() => setOpen(undefined)} onMade={setIssued} />}
      {open === 'app' && <AppDialog isOpen onClose={() => setOpen(undefined)} />}
      <TryDialog isOpen={open === 'try'} onClose={() => setOpen(undefined)} onDecided={setTried} />
      <SecretOf issued={issued} onClose={() => setIssued(undefined)} />
    </>
  )
}

const isPast = (time: string | undefined) => time !== undefined && Date.parse(time) < Date.now()

interface StepProps {
  title: string
  isDone: boolean
  /** In place of the explanation, when it is done. */
  done?: ReactNode
  action?: ReactNode
  /** Shows the explanation although it is done. */
  isOpen?: boolean
  children: ReactNode
}

function Step({ title, isDone, done, action, isOpen = false, children }: StepProps) {
  return (
    <li className={isDone ? 'step done' : 'step'}>
      <span className="step-mark">
        {isDone && <Icon name="check" size={13} />}
        <span className="visually-hidden">{isDone ? 'Done' : 'To do'}</span>
      </span>
      <div className="step-body">
        <h2>{title}</h2>
        {isDone && done && <p className="step-done">{done}</p>}
        {(!isDone || isOpen) && <div className="dim">{children}</div>}
        {!isDone && action}
      </div>
    </li>
  )
}

interface Shown {
  readonly decisionId: string | undefined
  readonly action: string | undefined
  /** Of one tried here: just now. */
  readonly at?: string
}

const shownOf = ({ data, timestamp, outcome }: FoundEvent): Shown => ({
  decisionId: (data as { decisionId?: string }).decisionId,
  action: outcome,
  at: timestamp,
})

function Arrived({ decisionId, action, at }: Shown) {
  return (
    <>
      {isAction(action) && <ActionBadge action={action} />} {at && <Time at={at} />}{' '}
      {decisionId && (
        <Link to="/decisions/$decisionId" params={{ decisionId }}>
          See why
        </Link>
      )}
    </>
  )
}
