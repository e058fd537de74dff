// Which agents can the service verify? Reads the file that `ringfence data update` wrote, and reads it again whenever it changes.

import { readFile } from 'node:fs/promises'
import type { Verifier } from 'http-message-sig'
import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import { DataFileError } from '../core/files/data-file-error.ts'
import { fileVersion, NewerFiles } from '../core/files/newer-files.ts'
import { compileOnUse } from '../core/json/compile-on-use.ts'
import { type AgentKey, isTooOld, type StoredAgent, StoredAgents, signatureAgentFile } from './signature-agents.ts'

/** How often look-ups check for a newer file. */
const checkEveryMs = 5_000

const check = compileOnUse(StoredAgents)

/** Empty before the first update. Throws a DataFileError when the file is damaged. */
export async function readStoredAgents(path: string): Promise<readonly StoredAgent[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const stored = parsed(text)
  if (!check.Check(stored)) {
    throw new DataFileError(path, 'is damaged', 'Delete it and run "ringfence data update".')
  }
  return stored.agents
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

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
export function openSignatureAgentLookUp({
  dataFolder,
  clock,
  log,
}: {
  dataFolder: string
  clock: Clock
  log: Pick<Logger, 'error'>
}): SignatureAgentLookUp {
  const path = signatureAgentFile(dataFolder)
  let agents: readonly LoadedAgent[] = []
  const file = new NewerFiles({
    version: () => fileVersion(path),
    async load() {
      agents = await Promise.all((await readStoredAgents(path)).map(loaded))
    },
    everyMs: checkEveryMs,
    clock,
    onProblem: (err) => log.error({ err }, 'cannot use the newer keys of agents; continuing with the previous ones'),
  })
  return {
    async named(url) {
      await file.look()
      return agents.find(({ agent }) => agent.url === url)?.agent
    },
    async keys(keyid, url) {
      await file.look()
      const now = clock.now()
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
