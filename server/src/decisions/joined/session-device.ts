// Which device stands for the session of a decision, and what of other devices counts against it?

import type { Missing } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { BatchStatement } from '../../core/storage/database.ts'
import { missingOfDevice } from '../../device-report/rule-input.ts'
import { type FoundDevice, type Owner, otherOwner } from '../parts/device.ts'
import type { FoundLogin } from '../person/login.ts'
import type { CheckedRequest } from '../request.ts'
import type { DecisionsNeeds } from '../room.ts'
import { type DeviceRisk, riskOf } from './against.ts'
import { mostSubjects, useOfReport } from './report-use.ts'
import { isOnAnotherDevice, type SignInDevice, standsIn } from './sign-in-device.ts'

export interface SessionDevice {
  /** That of the report, or of the sign-in where it replaces one. */
  readonly device: FoundDevice | undefined
  /** Devices of which only what is bad counts: that of the sign-in, and that of a report which others used up. */
  readonly risks: readonly DeviceRisk[]
  /** Why there is no report, or not all of it. */
  readonly missing: readonly Missing[]
  /** Different users of the report, with this one; undefined where a decision names nobody. */
  readonly subjects: number | undefined
  /** Whether the user signed in on another device than that of the report; undefined when not known. */
  readonly isOther: boolean | undefined
  /** Record the use of the report; for the commit of the decision. */
  readonly statements: readonly BatchStatement[]
}

export interface Session {
  readonly request: CheckedRequest
  /** The report that the request names; it may be of somebody else. */
  readonly reported: FoundDevice | undefined
  readonly signIn: FoundLogin | undefined
  readonly userId: string | undefined
  readonly digits: string | undefined
}

export async function sessionDevice(
  { request, reported, signIn, userId, digits }: Session,
  keys: TenantKeys,
  needs: DecisionsNeeds,
): Promise<SessionDevice> {
  const { signedInOn, basis = {} } = signIn ?? {}
  // An id of ours says nothing about that of the integrator, which a page names.
  const isMinted = request.userId === undefined && userId === basis.personId
  const owner = { userId, digits, isMinted }
  const otherWhy = reported && (await otherOwner(reported, owner, needs))
  const given = otherWhy ? undefined : reported
  const own = given ?? (signIn && (await standIn(signIn, request, owner, needs)))
  const use = own && useOfReport(own.row, { userId, personId: basis.personId, digits, email: request.email }, keys)
  const isUsedUp = use !== undefined && use.subjects > mostSubjects
  const isSame = signedInOn?.dfrId === own?.dfrId
  const device = isUsedUp ? undefined : own
  const why = [otherWhy, isUsedUp && ('reused' as const)]
  return {
    device,
    risks: [...(own && isUsedUp ? [own] : []), ...(signedInOn && !isSame ? [signedInOn] : [])].map(riskOf),
    missing: [
      ...why.flatMap((each) => (each ? [{ what: 'device' as const, why: each }] : [])),
      // What there is of it still counts against the person.
      ...(device ? missingOfDevice(device.analysis) : []),
    ],
    subjects: use && use.subjects > 0 ? use.subjects : undefined,
    isOther: isOnAnotherDevice(signedInOn, given, basis),
    statements: use?.statements ?? [],
  }
}

async function standIn(
  { signedInOn: on, login, isDecided }: FoundLogin,
  request: CheckedRequest,
  owner: Owner,
  needs: DecisionsNeeds,
): Promise<FoundDevice | undefined> {
  if (!on || !login || !isReported(on) || (await otherOwner(on, owner, needs))) return undefined
  return (await standsIn(on, request, { isFirstDecision: !isDecided }, needs)) ? on : undefined
}

const isReported = (device: SignInDevice): device is FoundDevice => device.report !== undefined
