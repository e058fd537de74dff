// What was not known when the decision was made? In amber under the verdict, with why, and a way to find it out now.

import { useMay } from '../../api/session.tsx'
import type { InvestigatedDecision } from '../../api/types.ts'
import { checkName } from '../../words/check-name.ts'
import { CheckNow } from '../number/check-now.tsx'
import { orderedChecks } from '../number/checks.ts'
import './decision.css'

const partNames: Readonly<Record<string, string>> = { login: 'Sign-in', device: 'Device', phone: 'Phone number' }

const whatIsMissing = ({ what, path }: InvestigatedDecision['missing'][number]) =>
  path ?? partNames[what] ?? `${checkName(what)} check`

export function Unknown({ decision: { missing, subject } }: { decision: InvestigatedDecision }) {
  const may = useMay()
  if (missing.length === 0) return null
  const check = orderedChecks.find((each) => missing.some(({ what }) => what === each))
  const { phoneNumber = '' } = subject
  // A role that sees the number masked cannot have it checked.
  const canCheck = check !== undefined && /^\d+$/.test(phoneNumber) && may('numbers.check')
  return (
    <div id="missing" className="unknown">
      <ul aria-label="Not known">
        {missing.map((each) => (
          <li key={`${whatIsMissing(each)} ${each.why}`}>
            <b>{whatIsMissing(each)}</b> not known: {meanings[each.why]}
            {each.facts && ` Missing: ${each.facts.join(', ')}.`}
          </li>
        ))}
      </ul>
      {canCheck && <CheckNow phoneNumber={phoneNumber} first={check} kind="plain" />}
    </div>
  )
}

const meanings: Readonly<Record<InvestigatedDecision['missing'][number]['why'], string>> = {
  'not-given': 'your backend did not send it.',
  unknown: 'the page sent an id that this service never issued.',
  expired: 'what the page sent is too old.',
  incomplete: 'the report lacks facts that its platform always sends.',
  unattested: 'nothing proves that the report is of a phone.',
  crowded: 'the device is one of many new ones of its network.',
  reused: 'too many sessions used the report.',
  'other-user': 'what the page sent belongs to another user.',
  'other-number': 'what the page sent belongs to another phone number.',
  'no-sign-in': 'the token is not from a sign-in.',
  'not-linked': 'the sign-in is not linked to your user.',
  deadline: 'it did not arrive within the deadline.',
  failed: 'it could not be read.',
  'no-number': 'the decision has no phone number.',
  'operator-unknown': 'no source says which operator serves the number.',
  unsupported: 'the operator does not offer this check.',
  'window-unsupported': 'the operator does not know what happened that long ago.',
  'operator-timeout': 'the operator did not answer in time.',
  'operator-failed': 'the operator failed.',
  'not-a-number': 'a rule compares it with a number, and it is not one.',
}
