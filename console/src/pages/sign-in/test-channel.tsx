// Does a channel work? A message without a code goes to the recipient that is typed.

import { useState } from 'react'
import type { SignInSetUp } from '../../api/types.ts'
import { useChange } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { SubmitForm } from '../../parts/forms/submit-form.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { locale } from '../../parts/values/locale.ts'
import { texts } from '../../texts.ts'
import { methodName } from '../../words/methods.ts'
import '../setup/setup.css'
import './sign-in-channels.css'

const reasons: Readonly<Record<string, string>> = {
  timeout: 'the gateway did not answer in time',
  unreachable: 'the gateway was not reached',
  rejected: 'the gateway refused it',
  overloaded: 'the gateway asks for a pause',
  format: 'the answer of the gateway was not understood',
}

export function TestChannel({
  channel: { name, method, recipient, sends },
  onClose,
}: {
  channel: SignInSetUp['channels'][number]
  onClose: () => void
}) {
  const [to, setTo] = useState('')
  const testing = useChange((call) => call('testChannel', { channel: name, to: to.trim() }), {
    reads: ['readOutbox'],
  })
  const isEmail = recipient === 'EMAIL'
  return (
    <Dialog title={`Test ${name}`} isOpen onClose={onClose}>
      <SubmitForm onSubmit={() => testing.mutate()}>
        <p className="dim">
          {sends
            ? `A message by ${methodName(method)} without a code is sent, and may cost something. The audit log has sender and recipient.`
            : 'This channel sends nothing: the message is only shown.'}
        </p>
        <div className="dialog-field">
          <TextField
            label={isEmail ? 'Email address' : 'Phone number'}
            type={isEmail ? 'email' : 'tel'}
            value={to}
            onChange={setTo}
            autoFocus
            isRequired
            maxLength={254}
            placeholder={isEmail ? 'you@shop.example' : '917020141726'}
            {...(!isEmail && { description: 'Digits with country code' })}
          />
        </div>
        {testing.data && (
          <p role="status" className={testing.data.accepted ? 'result good' : 'result bad'}>
            {testing.data.accepted
              ? `The gateway accepted it in ${testing.data.durationMs.toLocaleString(locale)} ms.`
              : `Not accepted: ${reasons[testing.data.reason ?? ''] ?? testing.data.reason}. The log has the details.`}
          </p>
        )}
        {testing.error && <CallError error={testing.error} />}
        <footer>
          <Button onPress={onClose}>{texts.common.close}</Button>
          <Button kind="primary" type="submit" isDisabled={testing.isPending}>
            Send
          </Button>
        </footer>
      </SubmitForm>
    </Dialog>
  )
}
