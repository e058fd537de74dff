// Which agents sign their requests by Web Bot Auth? Those of the configuration file, else these; and the file with their keys.

import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import type { SignatureAgents } from '../core/config/bot-settings.ts'
import { botCategories } from '../core/config/bot-settings.ts'
import { isOlder } from '../core/files/renewal.ts'

/** Agents whose operators document that they sign. */
export const defaultSignatureAgents: SignatureAgents = {
  chatgpt: {
    url: 'https://chatgpt.com/.well-known/http-message-signatures-directory',
    name: 'ChatGPT-Agent',
    operator: 'OpenAI',
    category: 'aiAgent',
  },
  'google-agent': {
    url: 'https://agent.bot.goog/.well-known/http-message-signatures-directory',
    name: 'Google-Agent',
    operator: 'Google',
    category: 'aiAgent',
  },
}

const closed = { additionalProperties: false } as const

/** A public key that verifies signatures. */
export const AgentKey = Type.Object(
  {
    /** Thumbprint by RFC 7638, SHA-256, base64url. */
    keyid: Type.String(),
    algorithm: Type.Enum(['ed25519', 'rsa-pss-sha512']),
    jwk: Type.Record(Type.String(), Type.String()),
    /** Epoch seconds between which the key is valid. */
    nbf: Type.Optional(Type.Number()),
    exp: Type.Optional(Type.Number()),
  },
  closed,
)
export type AgentKey = Static<typeof AgentKey>

/** An agent with the keys that its directory had. */
export const StoredAgent = Type.Object(
  {
    /** Its name in the configuration. */
    id: Type.String(),
    name: Type.String(),
    operator: Type.String(),
    category: Type.Enum(botCategories),
    /** The URL of the directory, which identifies the agent. */
    url: Type.String(),
    /** When the directory was fetched, in epoch milliseconds. */
    datedMs: Type.Number(),
    keys: Type.Array(AgentKey, { maxItems: 32 }),
  },
  closed,
)
export type StoredAgent = Static<typeof StoredAgent>

export const StoredAgents = Type.Object({ version: Type.Literal(1), agents: Type.Array(StoredAgent) }, closed)

/** All agents with their keys in one file. */
export const signatureAgentFile = (dataFolder: string) => join(dataFolder, 'bots', 'signature-agents.json')

/** A removed key is valid until the next fetch; without one, at most this long. */
const longestAgeMs = 7 * 86_400_000

/** Whether the keys were fetched too long ago. */
export const isTooOld = ({ datedMs }: Pick<StoredAgent, 'datedMs'>, now: number) => isOlder(datedMs, longestAgeMs, now)
