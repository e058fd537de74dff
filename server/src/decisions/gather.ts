// What is known when a decision is made? All parts, looked up side by side, and what the rules read of them.

import type { Missing, TelecomCheck } from '@ringfence/contract'
import { type StoredAccount, storedAccount } from '../accounts/account-knowledge.ts'
import { provenNumber } from '../accounts/session.ts'
import type { Call } from '../clients/call.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import { withoutUnknown } from '../core/json/without-unknown.ts'
import type { BatchStatement } from '../core/storage/database.ts'
import { gapsOfDevice } from '../device-report/rule-input.ts'
import { inputOfTelecom } from '../rules/language/session-input.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import type { CurrentRules } from '../rules/rule-sets.ts'
import type { AnswersOfCall } from '../telecom/answers-of-call.ts'
import type { KnownOfNumber } from '../telecom/known-answers.ts'
import { emailOf } from './email/email-of.ts'
import { useOfMailbox } from './email/mailbox-use.ts'
import { unitedContributions, withRisks } from './joined/against.ts'
import { useOfDevice } from './joined/device-use.ts'
import { sessionDevice } from './joined/session-device.ts'
import type { SignInDevice } from './joined/sign-in-device.ts'
import { simOfNumber } from './joined/sim-of-number.ts'
import { deviceOf, type FoundDevice } from './parts/device.ts'
import { type OtherNumber, otherNumber, otherNumberIn, withWarnings } from './parts/other-number.ts'
import { awaitedLater, type OperatorCalls, type Parts, partsWithin } from './parts/parts.ts'
import { type CodesReach, codesReach, queryChecks, storedOfNumber, withAnswers } from './parts/phone.ts'
import { findLogin, type Login, loginInput } from './person/login.ts'
import type { PendingLink } from './person/person.ts'
import type { CheckedRequest } from './request.ts'
import type { DecisionsNeeds } from './room.ts'
import { type RuleState, readRuleState } from './rule-state.ts'
import { accountOf, addressInput, addressOf, type SessionAccount } from './session.ts'

export interface Gathered {
  /** What the rules read. */
  readonly state: RuleState
  readonly phone: KnownOfNumber | undefined
  /** Who receives a code to the number of the decision. */
  readonly codes: CodesReach
  /** Who received that of the sign-in, which may be to another number. */
  readonly signInCodes: CodesReach
  readonly login: Login | undefined
  readonly device: FoundDevice | undefined
  /** The device of the sign-in, which may be another one. */
  readonly signedInOn: SignInDevice | undefined
  readonly account: SessionAccount | undefined
  readonly missing: readonly Missing[]
  readonly calls: OperatorCalls
  readonly consent: CheckedRequest['consent']
  /** What may link whoever signed in to the user. */
  readonly link: PendingLink | undefined
  /** Record the use of token and report; they belong to the commit of the decision. */
  readonly claims: readonly BatchStatement[]
}

export interface Inquiry {
  readonly request: CheckedRequest
  readonly rules: CurrentRules
  readonly call: Call
  readonly keys: TenantKeys
  /** Stores the answers of operators with the decision. */
  readonly storing: AnswersOfCall
}

/** Waits for operators until the deadline of the request at the latest. Throws StorageUnavailable. */
export async function gather(inquiry: Inquiry, needs: DecisionsNeeds): Promise<Gathered> {
  const parts = partsWithin(inquiry.request.deadlineMs, needs.log, inquiry.call.requestId)
  try {
    return await gatherWithin(parts, inquiry, needs)
  } finally {
    parts.end()
  }
}

async function gatherWithin(
  parts: Parts,
  { request, rules, call, keys, storing }: Inquiry,
  needs: DecisionsNeeds,
): Promise<Gathered> {
  const { tenantId } = call.caller
  const now = needs.clock.now()
  const { token, dfrId, simSwapMaxAgeHours, consent } = request
  const finding = startReads(request, parts, call, needs)
  const asked = new Set<TelecomCheck>()
  /** None of `wanted` was asked before. */
  const ask = (digits: string | undefined, wanted: ReadonlySet<TelecomCheck>) => {
    for (const check of wanted) asked.add(check)
    return queryChecks([...wanted], { digits, simSwapMaxAgeHours, consent, storing }, parts, call, needs)
  }

  const digits = request.digits ?? provenNumber((await finding.signIn)?.login?.identities ?? [])
  // What is listed starts at once; what only rules read waits until it is known whether they need it.
  const listed = awaitedLater(ask(digits, request.checks))
  const [signIn, reported, stored] = await Promise.all([
    finding.signIn,
    finding.device,
    digits === undefined ? undefined : storedOfNumber(digits, { tenantId, consent, lines: storing.lines }, needs),
  ])
  const login = signIn?.login
  const userId = login?.userId ?? request.userId
  const joined = await sessionDevice({ request, reported, signIn, userId, digits }, keys, needs)
  const { device } = joined
  parts.missing.push(...joined.missing)
  const { known, use, accountWith } = await knownWithoutOperators(
    // A sign-in may say that it is another user.
    { request, login, userId, digits, joined, stored: userId === request.userId ? finding.account : undefined },
    { tenantId, keys, now },
    needs,
  )

  async function found(phone: KnownOfNumber | undefined, other?: OtherNumber): Promise<Gathered> {
    const account = accountWith?.(phone?.phoneDetail.operator)
    const cards = device?.analysis.sim
    const state = await readRuleState(
      {
        ...withRisks(known, joined.risks),
        ...(account && { account: account.input }),
        ...(cards &&
          phone && { sim: { ...known.sim, ...simOfNumber(cards, phone.phoneDetail, needs.telecom.operators) } }),
        missing: missingInput(parts.missing, { token, dfrId: dfrId ?? device?.dfrId, digits, asked }),
        ...(phone && { telecom: other ? withWarnings(inputOfTelecom(phone), other) : inputOfTelecom(phone) }),
      },
      [use, ...joined.risks].map((each) => each?.contributions ?? []).reduce(unitedContributions),
      rules,
      { tenantId, keys, now },
      needs,
    )
    const codes = codesReach(phone, stored, state.live.missing)
    const claims = [...(signIn?.claims ?? []), ...joined.statements, ...(use?.statements ?? [])]
    const ofSignIn = { signInCodes: other?.codes ?? codes, signedInOn: signIn?.signedInOn, link: signIn?.link }
    const { missing, calls } = parts
    return { state, phone, codes, ...ofSignIn, login, device, account, missing, calls, consent, claims }
  }

  const answers = await listed
  if (!stored || digits === undefined) return found(undefined)
  const phone = withAnswers(stored, answers)
  const gathered = await found(phone)
  const pending = rules.live.pendingChecks(gathered.state.live, gathered.state.inList).difference(asked)
  const another = otherNumberIn(login?.identities ?? [], digits)
  if (pending.size === 0 && another === undefined) return gathered
  const [answered, other] = await Promise.all([
    ask(digits, pending),
    another === undefined
      ? undefined
      : otherNumber(another, { live: rules.live, input: gathered.state.live, consent, storing }, parts, call, needs),
  ])
  return found(withAnswers(phone, answered), other)
}

/** What the request itself names is read at the same time: the sign-in, the report and the account. */
function startReads(request: CheckedRequest, parts: Parts, call: Call, needs: DecisionsNeeds) {
  const { token, dfrId, userId } = request
  const { tenantId } = call.caller
  const account = userId === undefined ? undefined : awaitedLater(storedAccount({ tenantId, userId }, needs))
  const device =
    dfrId === undefined
      ? undefined
      : awaitedLater(parts.find('device', () => deviceOf(dfrId, tenantId, needs), 'deadline', 'failed'))
  const signIn =
    token === undefined ? undefined : awaitedLater(findLogin(token, { request, given: device }, parts, call, needs))
  return { signIn, device, account }
}

interface PersonAndDevice {
  readonly request: CheckedRequest
  readonly login: Gathered['login']
  readonly userId: string | undefined
  readonly digits: string | undefined
  readonly joined: Awaited<ReturnType<typeof sessionDevice>>
  readonly stored: Promise<StoredAccount> | undefined
}

/** What rules read of device, address, email and sign-in, and what the account needs once the operator of the number is known. */
async function knownWithoutOperators(
  { request, login, userId, digits, joined, stored }: PersonAndDevice,
  { tenantId, keys, now }: { readonly tenantId: string; readonly keys: TenantKeys; readonly now: number },
  needs: DecisionsNeeds,
) {
  const { device, isOther } = joined
  const [address, email] = await Promise.all([
    addressOf(request.ip, device, login, needs),
    emailOf(request.email, login, tenantId, needs),
  ])
  const [accountWith, use, mailboxUse] = await Promise.all([
    userId === undefined
      ? undefined
      : accountOf({ tenantId, userId, device, address, digits, login, stored, now }, needs),
    device && useOfDevice(device, { userId, digits }, { keys, now }, needs),
    email && request.action === 'SIGNUP' ? useOfMailbox(email, userId, { tenantId, keys, now }, needs) : undefined,
  ])
  const known: RuleInput = {
    ...use?.input,
    ...(mailboxUse && { velocity: { ...use?.input.velocity, ...mailboxUse } }),
    ...(joined.subjects !== undefined && { reportSubjects: joined.subjects }),
    ...addressInput(address, device),
    ...withoutUnknown({ action: request.action, userId, phoneNumber: digits, email }),
    ...(login && { login: loginInput(login, { digits, otherDevice: isOther }, now) }),
    params: request.params,
  }
  return { known, use, accountWith }
}

/** What was not given is there too, so that rules can be tried on stored decisions that require it. */
function missingInput(
  missing: readonly Missing[],
  {
    token,
    dfrId,
    digits,
    asked,
  }: {
    token: string | undefined
    dfrId: string | undefined
    digits: string | undefined
    asked: ReadonlySet<TelecomCheck>
  },
): NonNullable<RuleInput['missing']> {
  const questions = Number(token !== undefined) + Number(dfrId !== undefined) + asked.size
  // Of a part, the first reason is the most serious.
  const reasons = Object.fromEntries(missing.toReversed().map(({ what, why }) => [what, why])) as RuleInput['missing']
  const gaps: readonly string[] = gapsOfDevice
  const unknown = missing.filter(({ why }) => !gaps.includes(why)).length
  return {
    ...(token === undefined && { login: 'not-given' }),
    ...(dfrId === undefined && { device: 'not-given' }),
    ...(digits === undefined && { phone: 'not-given' }),
    ...reasons,
    ...(missing.length > 0 && { everything: unknown === questions }),
  }
}
