// What is known when a decision is made? All parts, looked up side by side, and what the rules read of them.

import type { Decision, TelecomCheck } from '@ringfence/contract'
import type { Call } from '../call.ts'
import { addressEvidence } from '../device/analysis/address-evidence.ts'
import { ipDetailsOf } from '../device/report/fields.ts'
import { parseAddress } from '../ip/address.ts'
import { withoutUnknown } from '../json/without-unknown.ts'
import type { Platform } from '../platform.ts'
import type { CurrentRules } from '../rules/rule-sets.ts'
import { inputOfTelecom } from '../rules/session-input.ts'
import type { RuleInput } from '../rules/vocabulary.ts'
import type { KnownOfNumber } from '../telecom/known-answers.ts'
import { checkOwner, deviceInput, deviceOf, type FoundDevice } from './device.ts'
import { type Login, loginInput, loginOf } from './login.ts'
import { type Parts, partsWithin } from './parts.ts'
import { queryChecks, storedOfNumber, withAnswers } from './phone.ts'
import type { CheckedRequest } from './request.ts'

export interface Gathered {
  /** What the rules read. */
  readonly input: RuleInput
  readonly phone: KnownOfNumber | undefined
  readonly login: Login | undefined
  readonly device: FoundDevice | undefined
  readonly missing: Decision['missing']
}

/** Returns at the deadline of the request at the latest. Throws StorageUnavailable. */
export async function gather(
  request: CheckedRequest,
  rules: CurrentRules,
  call: Call,
  platform: Platform,
): Promise<Gathered> {
  const parts = partsWithin(request.deadlineMs, platform.log, call.requestId)
  try {
    return await gatherWithin(parts, request, rules, call, platform)
  } finally {
    parts.end()
  }
}

async function gatherWithin(
  parts: Parts,
  request: CheckedRequest,
  { live }: CurrentRules,
  call: Call,
  platform: Platform,
): Promise<Gathered> {
  const { tenantId } = call.caller
  const now = platform.clock.now()
  const { token, dfrId, checks } = request
  const finding = {
    login:
      token === undefined
        ? undefined
        : parts.find('login', () => loginOf(token, request.userId, call, platform), 'deadline', 'failed'),
    device:
      dfrId === undefined
        ? undefined
        : parts.find('device', () => deviceOf(dfrId, tenantId, platform), 'deadline', 'failed'),
  }
  const asked = new Set<TelecomCheck>()
  const ask = async (digits: string, wanted: ReadonlySet<TelecomCheck>) => {
    const fresh = [...wanted].filter((check) => !asked.has(check))
    for (const check of fresh) asked.add(check)
    const { simSwapMaxAgeHours } = request
    return queryChecks(fresh, { digits, simSwapMaxAgeHours }, parts, call, platform)
  }

  const digits = request.digits ?? mobileOf(await finding.login)
  // What is listed starts at once; what only rules read waits until it is known whether they need it.
  const [login, reported, stored, listed] = await Promise.all([
    finding.login,
    finding.device,
    digits === undefined ? undefined : storedOfNumber(digits, tenantId, platform),
    digits === undefined ? [] : ask(digits, checks),
  ])
  const userId = request.userId ?? login?.userId
  const device = reported && (await ownDevice(reported, { userId, digits }, parts))
  const known: RuleInput = {
    ...(device && deviceInput(device, now)),
    ...(await addressInput(request, device, login, platform)),
    ...namedInput(request, { userId, digits, login }),
    ...(login && { login: loginInput(login, digits, now) }),
    params: request.params,
  }
  let phone = stored && withAnswers(stored, listed)
  const missing = (): Pick<RuleInput, 'missing'> => missingInput(parts.missing, { token, dfrId, asked })
  const open = live.pendingChecks({ ...known, ...missing(), ...(phone && { telecom: inputOfTelecom(phone) }) })
  if (phone && digits !== undefined) phone = withAnswers(phone, await ask(digits, open))
  return {
    input: { ...known, ...missing(), ...(phone && { telecom: inputOfTelecom(phone) }) },
    phone,
    login,
    device,
    missing: parts.missing,
  }
}

/** The verified phone number of a sign-in. */
const mobileOf = (login: Login | undefined): string | undefined =>
  login?.identities.find(({ identityType, verified }) => identityType === 'MOBILE' && verified)?.identityValue

const ownDevice = (
  device: FoundDevice,
  owner: { userId: string | undefined; digits: string | undefined },
  parts: Parts,
): Promise<FoundDevice | undefined> =>
  parts.find(
    'device',
    async () => {
      checkOwner(device, owner)
      return device
    },
    'deadline',
    'failed',
  )

function namedInput(
  { action, email: sent }: CheckedRequest,
  { userId, digits, login }: { userId: string | undefined; digits: string | undefined; login: Login | undefined },
): RuleInput {
  const email =
    sent ?? login?.identities.find(({ identityType }) => identityType === 'EMAIL')?.identityValue.toLowerCase()
  return withoutUnknown({
    action,
    userId,
    phoneNumber: digits,
    email,
    emailDomain: email?.slice(email.lastIndexOf('@') + 1),
  })
}

/** The IP address that the backend sent, or that of the sign-in where no device reported one. */
async function addressInput(
  { ip }: CheckedRequest,
  device: FoundDevice | undefined,
  login: Login | undefined,
  platform: Platform,
): Promise<RuleInput> {
  const ofDevice = device?.analysis.network?.ip
  const address = ip?.text ?? ofDevice ?? login?.network?.ip
  if (address === undefined || address === ofDevice || !parseAddress(address)) return {}
  const { network, anonymity } = await addressEvidence(address, [], platform)
  return network ? { ip: network.ip, ipDetails: ipDetailsOf(network, anonymity, undefined) } : {}
}

function missingInput(
  missing: Decision['missing'],
  { token, dfrId, asked }: { token: string | undefined; dfrId: string | undefined; asked: ReadonlySet<TelecomCheck> },
): Pick<RuleInput, 'missing'> {
  if (missing.length === 0) return {}
  const questions = Number(token !== undefined) + Number(dfrId !== undefined) + asked.size
  const reasons = Object.fromEntries(missing.map(({ what, why }) => [what, why])) as RuleInput['missing']
  return { missing: { ...reasons, everything: missing.length === questions } }
}
