// How does `ringfence data update` renew the keys of agents that sign? Fetches their directories into one file.

import { createPublicKey, type webcrypto } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { calculateJwkThumbprint } from 'jose'
import { identityOf, type SignatureAgents } from '../core/config/bot-settings.ts'
import { publishedText } from '../core/files/fetched-text.ts'
import { type Renewal, renewed } from '../core/files/renewal.ts'
import { replaceFile } from '../core/files/replace-file.ts'
import { type AgentKey, isTooOld, type StoredAgent, signatureAgentFile } from './signature-agents.ts'
import { readStoredAgents } from './stored-agents.ts'

export interface UpdateAgentsResources {
  readonly dataFolder: string
  readonly agents: SignatureAgents
  readonly now: number
  readonly fetch?: typeof globalThis.fetch
}

/** The directory cannot be used. The message says why. */
class DirectoryRefused extends Error {}

/** No redirect is followed, which the protocol forbids: the URL identifies the agent. */
const request = {
  timeoutMs: 10_000,
  largestBytes: 64 * 1024,
  mostRedirects: 0,
  headers: { accept: 'application/http-message-signatures-directory+json' },
} as const
const mostKeys = 32
/** The keys of RFC 9421, appendix B.1. Their private halves are printed there, so anyone can sign with them. */
const publishedTestKeys = ['poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U', 'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA']

/**
 * Fetches every directory, and continues with the previous keys of an agent when that fails. A directory without a key replaces the
 * previous one: that is how an agent withdraws a key. Throws, and changes nothing, when the data folder is not writable.
 */
export async function updateSignatureAgents({
  dataFolder,
  agents,
  now,
  fetch,
}: UpdateAgentsResources): Promise<Renewal[]> {
  const path = signatureAgentFile(dataFolder)
  await mkdir(dirname(path), { recursive: true })
  const before = new Map((await readStoredAgents(path)).map((agent) => [agent.id, agent]))
  const stored: StoredAgent[] = []
  const updates: Renewal[] = []
  for (const [id, agent] of Object.entries(agents)) {
    const { name, operator, category } = agent
    const url = identityOf(agent)
    const previous = before.get(id)
    const { renewal, used } = await renewed({
      name: id,
      async fetch() {
        if (url === undefined) throw new DirectoryRefused('its URL is not one of https')
        return { url, datedMs: now, keys: await keysOf(await publishedText(agent.url, { ...request, fetch })) }
      },
      previous: previous && previous.url === url && !isTooOld(previous, now) ? previous : undefined,
      entriesOf: ({ keys }) => keys.length,
      mayShrink: true,
    })
    if (used) stored.push({ ...used, id, name, operator, category })
    updates.push(renewal)
  }
  await replaceFile(path, JSON.stringify({ version: 1, agents: stored }))
  return updates
}

/**
 * The keys of a directory that can verify: Ed25519, and RSA of at least 2,048 bits. Others are left out. The id of a key is always
 * calculated, since anyone can write another one beside it.
 */
export async function keysOf(text: string): Promise<AgentKey[]> {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (cause) {
    throw new DirectoryRefused('it is not valid JSON', { cause })
  }
  if (!isRecord(document)) throw new DirectoryRefused('it is not a JSON Web Key Set')
  const found: unknown = document.keys ?? (document.kty === undefined ? undefined : [document])
  if (!Array.isArray(found)) throw new DirectoryRefused('it is not a JSON Web Key Set: "keys" is missing')
  if (found.length > mostKeys) throw new DirectoryRefused(`it has more than ${mostKeys} keys`)
  const keys = await Promise.all(found.map(keyOf))
  return keys.filter((key) => key !== undefined)
}

async function keyOf(found: unknown): Promise<AgentKey | undefined> {
  if (!isRecord(found)) return undefined
  const { kty, crv, x, n, e, use, nbf, exp } = found
  const jwk: webcrypto.JsonWebKey =
    kty === 'OKP' ? { kty, crv: String(crv), x: String(x) } : { kty: 'RSA', n: String(n), e: String(e) }
  if ((kty !== 'RSA' && !(kty === 'OKP' && crv === 'Ed25519')) || (use !== undefined && use !== 'sig')) return undefined
  try {
    const { asymmetricKeyDetails: { modulusLength } = {} } = createPublicKey({ key: jwk, format: 'jwk' })
    if (kty === 'RSA' && (modulusLength === undefined || modulusLength < 2048 || modulusLength > 8192)) return undefined
  } catch {
    return undefined
  }
  const keyid = await calculateJwkThumbprint(jwk)
  if (publishedTestKeys.includes(keyid)) return undefined
  return {
    keyid,
    algorithm: kty === 'OKP' ? 'ed25519' : 'rsa-pss-sha512',
    jwk: jwk as Record<string, string>,
    ...(typeof nbf === 'number' && { nbf }),
    ...(typeof exp === 'number' && { exp }),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
