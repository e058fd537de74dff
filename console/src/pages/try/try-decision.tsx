// How does a person see what the service would decide? With a real decision about made-up or known people, and about this browser.

import { useState } from 'react'
import type { AnswerOf } from '../../api/call.ts'
import { CallFailed } from '../../api/problem.ts'
import { useMay } from '../../api/session.tsx'
import { useChange, useRead } from '../../api/use-call.ts'
import { ActionBadge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { SubmitForm } from '../../parts/forms/submit-form.tsx'
import { TextArea } from '../../parts/forms/text-area.tsx'
import { Link } from '../../parts/link.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { texts } from '../../texts.ts'
import { analyseThisBrowser } from './this-browser.ts'
import './try-decision.css'

/** Nothing, for people who may not. */
export function TryDecision() {
  const [isOpen, setOpen] = useState(false)
  if (!useMay()('decisions.try')) return undefined
  return (
    <>
      <Button onPress={() => setOpen(true)}>Try a decision</Button>
      <TryDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

interface TryProps {
  onClose: () => void
  onDecided?: (decision: AnswerOf<'tryDecision'>) => void
}

export const TryDialog = ({ isOpen, ...props }: TryProps & { isOpen: boolean }) => (
  <Dialog title="Try a decision" isOpen={isOpen} onClose={props.onClose}>
    <TryForm {...props} />
  </Dialog>
)

const withoutDevice = ''
const operations = { LOGIN: 'Login', SIGNUP: 'Signup', PAYMENT: 'Payment' } as const

function TryForm({ onClose, onDecided }: TryProps) {
  const apps = useRead('listApps', {})
  const [operation, setOperation] = useState<keyof typeof operations>('LOGIN')
  const [userId, setUserId] = useState('u-1001')
  const [phoneNumber, setPhoneNumber] = useState('')
  const [email, setEmail] = useState('')
  const [params, setParams] = useState('')
  const [appId, setAppId] = useState(withoutDevice)
  const deciding = useChange(
    async (call) => {
      const digits = phoneNumber.replaceAll(/[\s+()-]/g, '')
      const request = {
        action: operation,
        ...(userId.trim() && { userId: userId.trim() }),
        phoneNumber: digits || undefined,
        ...(email.trim() && { email: email.trim() }),
        ...(params.trim() && { params: paramsIn(params) }),
      }
      const dfrId = appId === withoutDevice ? undefined : await analyseThisBrowser(appId)
      return call('tryDecision', { ...request, dfrId })
    },
    { reads: ['first-decision'], onDone: (decision) => onDecided?.(decision) },
  )
  const { data, error, isPending } = deciding
  const named = (apps.data?.apps ?? []).filter(({ disabledAt }) => !disabledAt)
  return (
    <SubmitForm className="try-form" onSubmit={() => deciding.mutate()}>
      <p className="dim">
        A real decision with your rules. It is stored and counted like those of your backend, and may call the operator
        of the number.
      </p>
      <Select label="Operation" options={operations} value={operation} onChange={setOperation} />
      <TextField label="User id" value={userId} onChange={setUserId} maxLength={256} />
      <TextField
        label="Phone number"
        value={phoneNumber}
        onChange={setPhoneNumber}
        placeholder="+91 70201 40110"
        description="With country code; empty: none"
      />
      <TextField
        label="Email address"
        value={email}
        onChange={setEmail}
        maxLength={320}
        placeholder="asha@shop.example"
        description="Where the person can confirm a challenge; empty: none"
      />
      <Select
        label="Device"
        options={{
          [withoutDevice]: 'None',
          ...Object.fromEntries(named.map(({ appId: id, name }) => [id, `This browser, by the app ${name}`])),
        }}
        value={appId}
        onChange={setAppId}
      />
      <TextArea
        label="Params"
        value={params}
        onChange={setParams}
        isCode
        rows={2}
        placeholder='{"amount": 120}'
        description="Values that your rules read, as JSON; empty: none"
      />
      {error instanceof CallFailed && <CallError error={error} />}
      {error && !(error instanceof CallFailed) && (
        <p className="field-error" role="alert">
          {error.message}
        </p>
      )}
      {data && (
        <p className="tried" role="status">
          <ActionBadge action={data.action} isSure={false} />
          <Link to="/decisions/$decisionId" params={{ decisionId: data.decisionId }} onClick={onClose}>
            See why
          </Link>
        </p>
      )}
      <footer>
        <Button onPress={onClose}>{data ? texts.common.close : texts.common.cancel}</Button>
        <Button kind="primary" type="submit" isDisabled={isPending}>
          {isPending ? 'Deciding' : 'Decide'}
        </Button>
      </footer>
    </SubmitForm>
  )
}

function paramsIn(text: string): Record<string, unknown> {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    // What the parser says of it differs by browser.
  }
  if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Record<string, unknown>
  throw new Error('Params are not a JSON object, such as {"amount": 120}.')
}
