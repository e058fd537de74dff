// How does a person check a number? Only after a click that says who is called and that it may cost.

import { useState } from 'react'
import { useChange } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { texts } from '../../texts.ts'
import { checkName } from '../../words/check-name.ts'
import {
  type Check,
  comparedText,
  filledIn,
  lastingText,
  orderedChecks,
  type Particulars,
  particulars,
  resultText,
  resultTone,
} from './checks.ts'
import './number.css'

interface CheckNowProps {
  phoneNumber: string
  /** What the dialog begins with. */
  first?: Check
  kind?: 'plain' | 'primary'
}

export function CheckNow({ phoneNumber, first = 'simSwap', kind = 'primary' }: CheckNowProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind={kind} onPress={() => setOpen(true)}>
        Check now
      </Button>
      <Dialog title="Check this number" isOpen={isOpen} onClose={() => setOpen(false)}>
        <CheckForm phoneNumber={phoneNumber} first={first} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

interface CheckFormProps {
  phoneNumber: string
  first: Check
  onClose: () => void
}

function CheckForm({ phoneNumber, first, onClose }: CheckFormProps) {
  const [check, setCheck] = useState<Check>(first)
  const [typed, setTyped] = useState<Particulars>({})
  const compared = check === 'kycMatch' ? filledIn(typed) : {}
  const isReady = check !== 'kycMatch' || Object.keys(compared).length > 0
  const checking = useChange(
    (call) => call('checkNumber', { phoneNumber, check, ...(check === 'kycMatch' && { params: compared }) }),
    { reads: ['readNumber', 'explainRoute', 'searchEvents'], readsAlways: true },
  )
  const { data, error, isPending } = checking
  return (
    <>
      <p className="dim check-note">
        This calls the operator of the number, unless an answer may still be reused. Your operator may charge for it.
        The check is recorded with your name.
      </p>
      <Select
        label="Check"
        options={Object.fromEntries(orderedChecks.map((each) => [each, checkName(each)])) as Record<Check, string>}
        value={check}
        onChange={(next) => {
          setCheck(next)
          checking.reset()
        }}
      />
      {check === 'kycMatch' && (
        <Compare
          typed={typed}
          onChange={(next) => {
            setTyped(next)
            checking.reset()
          }}
        />
      )}
      {error && <CallError error={error} />}
      {data && (
        <div className="check-result" role="status">
          <Badge tone={resultTone(data.result)}>{resultText(data.check, data.result)}</Badge>
          <span>
            {data.fields && `${comparedText(compared, data.fields)} `}
            {data.maxAgeHours !== undefined && `Within ${data.maxAgeHours} hours. `}
            {data.why ?? (data.ageSeconds === undefined ? 'The operator answered just now.' : '')}
            {data.ageSeconds !== undefined && `Reused: the operator answered ${lastingText(data.ageSeconds)} ago.`}
            {data.failure !== undefined && ` (${data.failure})`}
            {data.sandbox && ' Made-up data of the sandbox.'}
          </span>
        </div>
      )}
      <footer>
        <Button onPress={onClose}>{data ? texts.common.close : texts.common.cancel}</Button>
        <Button kind="primary" isDisabled={isPending || !isReady} onPress={() => checking.mutate()}>
          {isPending ? 'Checking' : 'Check'}
        </Button>
      </footer>
    </>
  )
}

/** What the operator compares with its subscriber; empty fields are left out. */
function Compare({ typed, onChange }: { typed: Particulars; onChange: (next: Particulars) => void }) {
  return (Object.keys(particulars) as (keyof Particulars)[]).map((name) => (
    <TextField
      key={name}
      label={particulars[name]}
      {...(name === 'birthdate' && { placeholder: 'YYYY-MM-DD' })}
      value={typed[name] ?? ''}
      onChange={(text) => onChange({ ...typed, [name]: text })}
    />
  ))
}
