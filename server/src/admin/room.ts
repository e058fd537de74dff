// What does the console's API give to other rooms, and what may its handlers use? It looks after all of them.

import type { RuleChangesNeeds } from '../decisions/rule-changes/room.ts'
import type { DeliveryDoor } from '../events/room.ts'
import type { RulesDoor } from '../rules/room.ts'
import type { SignInNeeds } from '../sign-in/authentication/room.ts'
import type { Audit } from './audit/audit.ts'
import type { DoctorNeeds } from './doctor/room.ts'
import type { LiveStreams } from './live/live-streams.ts'
import type { Passkeys } from './passkeys/passkeys.ts'
import type { People } from './people/people.ts'
import type { SsoProviders } from './sso/provider.ts'

export interface AdminDoor {
  /** The audit log of each tenant, in the store. */
  audit: Audit
  /** Who may use the console. */
  people: People
  /** How they sign in without a password. */
  passkeys: Passkeys
  /** The identity providers with which they sign in. */
  sso: SsoProviders
  /** Who watches events as they happen. */
  liveStreams: LiveStreams
}

export interface AdminNeeds extends SignInNeeds, DoctorNeeds, RuleChangesNeeds {
  admin: AdminDoor
  delivery: DeliveryDoor
  telecom: SignInNeeds['telecom']
  ip: SignInNeeds['ip']
  rules: RulesDoor
}
