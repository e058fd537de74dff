// Is a client that signs its requests really the agent that it names? Verified by Web Bot Auth, with keys that were fetched before.

import { hash } from 'node:crypto'
import type { SignedRequest } from '../core/call.ts'
import type { Clock } from '../core/clock.ts'
import type { BotCategory } from '../core/config/bot-settings.ts'
import type { Database } from '../core/storage/database.ts'
import { claimNonce } from './store/agent-nonces.ts'
import type { SignatureAgentLookUp } from './stored-agents.ts'

/** Result of the verification. `unverified`: no key is known with which to verify. */
export interface AgentVerification {
  /** Absent for an agent that the configuration does not have. */
  readonly name?: string
  readonly category?: BotCategory
  readonly verification: 'verified' | 'failed' | 'unverified'
  readonly because: string
}

export interface AgentCheck {
  /**
   * Undefined for a request without a signature of Web Bot Auth. Fetches nothing: an agent whose keys are not known is `unverified`.
   *
   * @param sessionId a nonce may be used again in the session that used it first, since SDKs repeat calls
   */
  check(request: SignedRequest, sessionId: string): Promise<AgentVerification | undefined>
}

export interface AgentCheckResources {
  readonly agents: SignatureAgentLookUp
  readonly database: Database
  readonly clock: Clock
}

export function agentCheck(resources: AgentCheckResources): AgentCheck {
  return {
    async check(request, sessionId) {
      if (request.headers['signature-input'] === undefined) return undefined
      // Loaded on use: most requests have no signature.
      const signatures = await import('./http-signature.ts')
      let labels: readonly string[]
      try {
        labels = signatures.labelsOf(request)
      } catch (error) {
        return failed(error, signatures)
      }
      let first: AgentVerification | undefined
      for (const label of labels) {
        const found = await checkOne({ ...resources, signatures }, request, label, sessionId)
        if (found.verification === 'verified') return found
        first ??= found
      }
      return first
    },
  }
}

type Signatures = typeof import('./http-signature.ts')

async function checkOne(
  { agents, database, clock, signatures }: AgentCheckResources & { readonly signatures: Signatures },
  request: SignedRequest,
  label: string,
  sessionId: string,
): Promise<AgentVerification> {
  let agent: Pick<AgentVerification, 'name' | 'category'> = {}
  try {
    const claimed = signatures.claimedSignature(request, label)
    const { keyid, agentUrl, nonce, created, expires } = claimed
    if (agentUrl !== undefined) agent = nameOf(await agents.named(agentUrl))
    const [known, another] = await agents.keys(keyid, agentUrl)
    if (!known) {
      const because = `no valid key ${keyid} of ${agentUrl ?? 'any agent'} is known`
      return { ...agent, verification: 'unverified', because }
    }
    if (another) return { verification: 'unverified', because: `several agents have the key ${keyid}` }
    agent = nameOf(known.agent)
    await signatures.verify(request, claimed, known.verifier, clock.now() / 1000)
    if (nonce !== undefined) {
      const use = {
        nonceHash: hash('sha256', `${keyid} ${nonce}`, 'buffer').subarray(0, 16),
        sessionHash: hash('sha256', sessionId, 'buffer').subarray(0, 16),
        // The clocks of agent and servers may differ.
        expiresAt: (Math.min(expires, created + signatures.longestAge) + 2 * signatures.clockSkew) * 1000,
      }
      if (!(await claimNonce(database, use))) {
        return { ...agent, verification: 'failed', because: 'another session used the nonce of the signature before' }
      }
    }
    return { ...agent, verification: 'verified', because: `signed with a key of ${known.agent.url}` }
  } catch (error) {
    return { ...agent, ...failed(error, signatures) }
  }
}

const nameOf = (agent: Required<Pick<AgentVerification, 'name' | 'category'>> | undefined) =>
  agent ? { name: agent.name, category: agent.category } : {}

/** Throws what is not the fault of the signature. */
function failed(error: unknown, { SignatureRefused }: Signatures): Pick<AgentVerification, 'verification' | 'because'> {
  if (!(error instanceof SignatureRefused)) throw error
  return { verification: 'failed', because: `the signature is not valid: ${error.message}` }
}
