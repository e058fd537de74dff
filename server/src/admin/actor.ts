// Who calls the admin API, for which tenant, and what may they do? A person who is signed in, or a client that has a role.

import type { Permission } from '@ringfence/contract'

export interface Actor {
  /** For audit lines: `person:<id>` or `client:<id>`. */
  readonly id: string
  /** What others read: the name of the person, or the id of the client. */
  readonly name: string
  readonly tenantId: string
  readonly role: string
  readonly permissions: ReadonlySet<Permission>
  /** Absent for a client. */
  readonly session?: ActorSession
}

/** The session of a person who is signed in. */
export interface ActorSession {
  readonly sessionId: string
  readonly personId: string
  readonly csrfToken: string
  readonly startedAt: number
  /** When the person proved last who they are: at the sign-in, or since. */
  readonly confirmedAt: number
  readonly endsAt: number
  /** The issuer of the identity provider, for whoever signs in with one: they have nothing else to sign in with. */
  readonly singleSignOn?: string
}
