// Which agents can the service verify? Reads the file that `ringfence data update` wrote, and reads it again whenever it changes.

import type { Verifier } from 'http-message-sig'
import { type DataPlace, newestContent } from '../core/files/newer-files.ts'
import { readStoredJson } from '../core/files/stored-json.ts'
import { compileOnUse } from '../core/json/compile-on-use.ts'
import { type AgentKey, isTooOld, type StoredAgent, StoredAgents, signatureAgentFile } from './signature-agents.ts'

const storedAgents = compileOnUse(StoredAgents)

/** Empty before the first update. Throws a DataFileError when the file is damaged. */
export const readStoredAgents = async (path: string): Promise<readonly StoredAgent[]> =>
  (await readStoredJson(path, storedAgents))?.agents ?? []

/** A key of an agent that is valid now. */
export interface KnownKey {
  readonly agent: Omit<StoredAgent, 'keys'>
  readonly verifier: Verifier
}

export interface SignatureAgentLookUp {
  /** The agent that a Signature-Agent names; undefined when the configuration has none of this URL. */
  named(url: string): Promise<Pick<StoredAgent, 'name' | 'category'> | undefined>
  /**
   * The valid keys with this id: those of the agent of this URL, or of any agent when the request names none. Keys are never found
   * by id alone when it does, as one agent could publish the key of another.
   */
  keys(keyid: string, url: string | undefined): Promise<readonly KnownKey[]>
}

/** Logs a file that cannot be used, and continues with the previous keys. */
export function openSignatureAgentLookUp(place: DataPlace): SignatureAgentLookUp {
  const none: readonly LoadedAgent[] = []
  const read = async (path: string) => Promise.all((await readStoredAgents(path)).map(loaded))
  const newest = newestContent(signatureAgentFile(place.dataFolder), { what: 'keys of agents', none, read }, place)
  return {
    async named(url) {
      return (await newest()).find(({ agent }) => agent.url === url)?.agent
    },
    async keys(keyid, url) {
      const agents = await newest()
      const now = place.clock.now()
      const current = agents.filter(({ agent }) => (url === undefined || agent.url === url) && !isTooOld(agent, now))
      return current.flatMap(({ agent, keys }) =>
        keys
          .filter(({ key }) => key.keyid === keyid && isValid(key, now / 1000))
          .map(({ verifier }) => ({ agent, verifier })),
      )
    },
  }
}

interface LoadedAgent {
  readonly agent: Omit<StoredAgent, 'keys'>
  readonly keys: readonly { readonly key: AgentKey; readonly verifier: Verifier }[]
}

async function loaded({ keys, ...agent }: StoredAgent): Promise<LoadedAgent> {
  return {
    agent,
    keys: await Promise.all(keys.map(async (key) => ({ key, verifier: await verifierOf(key) }))),
  }
}

/** The verifier of a public key (RFC 9421, 3.3.1 and 3.3.6). */
export async function verifierOf({ algorithm, jwk }: Pick<AgentKey, 'algorithm' | 'jwk'>): Promise<Verifier> {
  const { webcrypto } = await import('http-message-sig')
  const parameters = algorithm === 'ed25519' ? { name: 'Ed25519' } : { name: 'RSA-PSS', hash: 'SHA-512' }
  return webcrypto.verifier(await crypto.subtle.importKey('jwk', jwk, parameters, false, ['verify']))
}

const isValid = ({ nbf, exp }: AgentKey, nowSeconds: number) =>
  (nbf === undefined || nbf <= nowSeconds) && (exp === undefined || nowSeconds < exp)
