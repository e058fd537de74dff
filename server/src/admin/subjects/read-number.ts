// /admin/v1/numbers/read: everything that is stored about one phone number. It calls no operator.

import { type AdminNumberRequest, checks, type ShownNumber } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { searchEvents } from '../../decisions/search/search-events.ts'
import { historySince } from '../../device/history/retention.ts'
import { accountsOfNumber } from '../../device/store/account-knowledge.ts'
import { accountHashOf, numberHashOf } from '../../events/subject-hashes.ts'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import { readPhoneNumber } from '../../phone/read-number.ts'
import type { KnownAnswer } from '../../telecom/answers.ts'
import { knownOfNumber } from '../../telecom/known-answers.ts'
import type { PortabilityAnswer } from '../../telecom/portability-sources/source.ts'
import { readQuestionName } from '../../telecom/question-name.ts'
import type { ActorCall } from '../call.ts'
import { asClient } from '../calls/as-client.ts'
import { isoTime } from '../calls/iso-time.ts'
import type { AdminNeeds } from '../room.ts'
import { linksOf, sightingsOfEvents } from './seen-with.ts'
import { shownCounts } from './shown-counts.ts'
import { judgedDecisions, stateOfThing } from './subject-state.ts'

const mostEvents = 100
const mostLinks = 50

/** Refuses with `fieldInvalid` a number that cannot exist. */
export async function adminReadNumber(
  { phoneNumber }: AdminNumberRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ShownNumber> {
  const { database, tenantKeyring, clock, settings, telecom } = needs
  const { tenantId } = call.actor
  const { digits } = existingNumber(phoneNumber)
  const keys = await tenantKeyring.keysOf(tenantId)
  const now = clock.now()
  const [known, answers, trusting, { events }, velocities] = await Promise.all([
    knownOfNumber(digits, { tenantId, consent: 'any' }, needs),
    telecom.answers.known(tenantId, digits, 'any'),
    accountsOfNumber(database, numberHashOf(digits, keys), historySince(now, settings)),
    searchEvents(
      { phoneNumber: digits, types: ['decision.created', 'sign_in.completed'], limit: mostEvents },
      asClient(call),
      needs,
    ),
    shownCounts(tenantId, { per: 'phoneNumber', phoneNumber: digits }, needs),
  ])
  const accounts = linksOf(sightingsOfEvents(events).users, mostLinks)
  const unknown = new Set(trusting)
  for (const { value } of accounts) unknown.delete(Buffer.from(accountHashOf(value, keys)).toString('hex'))
  const judged = await judgedDecisions(database, tenantId, { events, now })
  return {
    phoneNumber: digits,
    state: stateOfThing(judged, { labels: [], now }),
    phoneDetail: known?.phoneDetail ?? {},
    answers: answers.flatMap((answer) => shownAnswer(answer, now, telecom)),
    accounts: accounts.map(({ value: userId, ...link }) => ({ userId, ...link })),
    unknownAccounts: unknown.size,
    velocities,
  }
}

/** Of a number as people write it. Refuses with `fieldInvalid`, and says what is wrong with it. */
export function existingNumber(phoneNumber: string): PhoneNumber {
  const number = readPhoneNumber(phoneNumber, 'phoneNumber')
  if (typeof number !== 'string') return number
  throw new Refusal('fieldInvalid', { mistake: number })
}

type Answer = ShownNumber['answers'][number]

function shownAnswer(
  { name, answer, ageSeconds, consent, isOutdated, operator }: KnownAnswer,
  now: number,
  { reuse }: AdminNeeds['telecom'],
): Answer[] {
  const { check, source } = readQuestionName(name) ?? {}
  if (check === undefined || source === undefined) return []
  const answered = answer as Partial<PortabilityAnswer> & { maxAgeHours?: number }
  const isUnknown = check === 'portability' && answered?.ported === undefined
  const reuseSeconds = reuse.secondsOf(check, operator)
  const isWarning = !isUnknown && checks[check].isWarning(answer as never)
  return [
    {
      check,
      result: isUnknown ? 'unknown' : isWarning ? 'yes' : 'no',
      from: source,
      answeredAt: isoTime(now - ageSeconds * 1000),
      reusableSeconds: isOutdated ? 0 : Math.max(0, Math.floor(reuseSeconds - ageSeconds)),
      ...(consent && { consent }),
      ...(answered.maxAgeHours !== undefined && { maxAgeHours: answered.maxAgeHours }),
    },
  ]
}
