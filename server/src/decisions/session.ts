// Where is the person of a decision, and what does the session show about the account?

import { type AccountKnowledge, accountKnowledge, isProven, type StoredAccount } from '../accounts/account-knowledge.ts'
import type { ShownSession } from '../accounts/session.ts'
import type { Address } from '../core/address/address.ts'
import { addressEvidence } from '../device/analysis/address-evidence.ts'
import type { Evidence } from '../device/analysis/evidence.ts'
import { ipDetailsOf } from '../device-report/fields.ts'
import type { Action } from '../rules/language/rule.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import { isStronger } from '../rules/requirements/required.ts'
import type { FoundDevice } from './parts/device.ts'
import { type CodesReach, isProofOfPerson } from './parts/phone.ts'
import type { Login } from './person/login.ts'
import type { DecisionsNeeds } from './room.ts'
import type { RuleState } from './rule-state.ts'

/** The IP address of the session, and what is known of it. */
export type SessionAddress = Pick<Evidence, 'network' | 'anonymity'>

/** That of the backend, else that of the device, else that of the sign-in. */
export async function addressOf(
  sent: Address | undefined,
  device: FoundDevice | undefined,
  login: Login | undefined,
  needs: DecisionsNeeds,
): Promise<SessionAddress> {
  const ofDevice = device?.analysis
  const text = sent?.text ?? ofDevice?.network?.ip ?? login?.network?.ip
  if (ofDevice && text === ofDevice.network?.ip) {
    return { network: ofDevice.network, ...(ofDevice.evidence.anonymity && { anonymity: ofDevice.evidence.anonymity }) }
  }
  return addressEvidence(text, [], needs)
}

/** What rules read about it; nothing where the device reported the same, with more. */
export function addressInput({ network, anonymity }: SessionAddress, device: FoundDevice | undefined): RuleInput {
  if (!network || network.ip === device?.analysis.network?.ip) return {}
  return { ip: network.ip, ipDetails: ipDetailsOf(network, anonymity, undefined) }
}

/** An account, and what this session shows about it. */
export interface SessionAccount {
  readonly knowledge: AccountKnowledge
  readonly shown: ShownSession
  readonly input: NonNullable<RuleInput['account']>
}

export interface SessionParts {
  readonly tenantId: string
  readonly userId: string
  readonly device: FoundDevice | undefined
  readonly address: SessionAddress
  readonly digits: string | undefined
  readonly login: Login | undefined
  /** The account, where its reading began earlier. */
  readonly stored: Promise<StoredAccount> | undefined
  /** Epoch milliseconds. */
  readonly now: number
}

/** Reads the account once, unless that began earlier. `operator`: which serves the number, as far as is known when the rules read the account. */
export async function accountOf(
  { tenantId, userId, device, address, digits, login, stored, now }: SessionParts,
  needs: DecisionsNeeds,
): Promise<(operator: string | undefined) => SessionAccount> {
  const analysis = device?.analysis
  const signedInAt = login && Date.parse(login.timestamp)
  const knowledge = await accountKnowledge(
    { tenantId, userId, analysis, phoneNumber: digits, signedInAt, stored },
    needs,
  )
  return (operator) => {
    const shown = knowledge.shownBy({ at: now, ...address, analysis, phoneNumber: digits, operator })
    return { knowledge, shown, input: knowledge.inputOf(shown) }
  }
}

interface SignedIn {
  readonly login: Login | undefined
  readonly signInCodes: CodesReach
}

/** Whether the decision proves its session, and nothing doubted it. */
export function provesSession(
  { input }: SessionAccount,
  action: Action,
  { login, signInCodes, state }: SignedIn & { readonly state: Pick<RuleState, 'live'> },
): boolean {
  // A sign-in on another device proves nothing about this one.
  const isHere = state.live.login?.otherDevice !== true
  const hasLogin = login !== undefined && isHere && isProofOfPerson(login.identities, signInCodes)
  return isProven({ action, hasLogin, input })
}

/**
 * Whether rules stopped the session, and its sign-in was made by a code that reaches whoever swapped the SIM or forwards the calls, as
 * far as the decision knows. Then that sign-in teaches nothing either.
 */
export const doubtsSignIn = (action: Action, { login, signInCodes }: SignedIn): boolean =>
  isStronger(action, 'WARN') &&
  signInCodes === 'diverted' &&
  !(login !== undefined && isProofOfPerson(login.identities, signInCodes))
