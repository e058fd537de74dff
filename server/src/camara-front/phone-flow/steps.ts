// Where is a phone on its way from the authorization endpoint to the answer? Each step is its own row, used once.

import { createHash, randomBytes } from 'node:crypto'
import type { Core } from '../../core/core.ts'
import { contextOfVerification } from '../../telecom/number-verification/number-verifications.ts'
import type { BegunVerification } from '../../telecom/number-verification/verification.ts'
import { claimVerification, findVerification, insertVerification } from '../../telecom/store/number-verifications.ts'
import type { AuthorizationAnswer } from '../../upstream/oauth/code-flow.ts'

/** What the client asked for, which its code and token are bound to. */
export interface ClientRequest {
  readonly redirectUri: string
  readonly scope: string
  readonly asks: 'match' | 'number'
  /** S256 of the client's verifier (RFC 7636). */
  readonly challenge: string
  readonly state?: string
  readonly nonce?: string
}

interface Contents {
  /** The phone was redirected to its operator; the secret is our state there. */
  authorization: { readonly begun: BegunVerification; readonly request: ClientRequest }
  /** The phone has returned; the secret is the code that the client exchanges. */
  code: Contents['authorization'] & { readonly returned: AuthorizationAnswer }
  /** The client has an access token; the secret is in it. */
  token: {
    readonly begun: BegunVerification
    readonly returned: AuthorizationAnswer
    readonly asks: ClientRequest['asks']
  }
}

type StepName = keyof Contents

export interface Step<Name extends StepName> {
  readonly tenantId: string
  readonly clientId: string
  readonly content: Contents[Name]
}

export const newSecret = () => randomBytes(24).toString('base64url')

/** Whoever has the secret can take the step until `lifetimeMs` have passed. The store has only a hash of it. */
export async function openStep<Name extends StepName>(
  name: Name,
  secret: string,
  { tenantId, clientId, content, lifetimeMs }: Step<Name> & { readonly lifetimeMs: number },
  { clock, database, tenantKeyring }: Pick<Core, 'clock' | 'database' | 'tenantKeyring'>,
): Promise<void> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const idHash = idHashOf(name, secret)
  await insertVerification(database, {
    ...{ idHash, tenantId, clientId },
    numberHash: keys.hash(content.begun.digits),
    // No state fits it: /v1/telecom/number-verifications never completes a step.
    stateHash: randomBytes(32),
    expiresAt: clock.now() + lifetimeMs,
    usedAt: null,
    sealed: keys.seal(JSON.stringify(content), contextOfVerification(idHash)),
  })
}

/**
 * Uses the step up. Undefined when it is unknown, expired or used, and without using it up when it belongs to another client.
 *
 * @param clientId who must have begun it; left out for the phone, which only knows the secret
 */
export async function takeStep<Name extends StepName>(
  name: Name,
  secret: string,
  { clock, database, tenantKeyring }: Pick<Core, 'clock' | 'database' | 'tenantKeyring'>,
  clientId?: string,
): Promise<Step<Name> | undefined> {
  const idHash = idHashOf(name, secret)
  const row = await findVerification(database, idHash)
  if (!row || (clientId !== undefined && row.clientId !== clientId)) return undefined
  if (!(await claimVerification(database, idHash, clock.now()))) return undefined
  const keys = await tenantKeyring.keysOf(row.tenantId)
  const content = JSON.parse(keys.open(row.sealed, contextOfVerification(idHash))) as Contents[Name]
  return { tenantId: row.tenantId, clientId: row.clientId, content }
}

/** The name is part of it: a code is no state, and a state is no code. */
const idHashOf = (name: StepName, secret: string): Uint8Array =>
  createHash('sha256').update(`camara ${name} ${secret}`).digest().subarray(0, 16)
