// How does a test get an agent that signs its requests? It has its own key, and a directory that the service has fetched.

import { type webcrypto as nodeCrypto, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSignature, type SignatureComponent, type SignatureParameters, webcrypto } from 'http-message-sig'
import { calculateJwkThumbprint } from 'jose'
import type { BotCategory } from '../../core/config/bot-settings.ts'
import { updateSignatureAgents } from '../update-signature-agents.ts'

export interface SigningAgent {
  readonly keyid: string
  /** Its public key, as in a directory. */
  readonly jwk: Record<string, unknown>
  /** The headers with which the agent sends a POST. `undefined` leaves a parameter out. */
  sign(url: string, at: number, changes?: SigningChanges): Promise<Record<string, string>>
}

export interface SigningChanges {
  readonly parameters?: { readonly [name: string]: string | number | undefined }
  readonly components?: readonly SignatureComponent[]
  /** The header Signature-Agent. */
  readonly agent?: string
}

/** Signs as `agentUrl`, an origin. */
export async function signingAgent(agentUrl = 'https://agent.example'): Promise<SigningAgent> {
  const pair = await ed25519Pair()
  const { kty, crv, x } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const jwk = { kty, crv, x, use: 'sig' }
  const keyid = await calculateJwkThumbprint({ kty: kty!, crv: crv!, x: x! })
  const signer = webcrypto.signer(pair.privateKey)
  return {
    keyid,
    jwk,
    async sign(url, at, { parameters, components, agent = `sig="${agentUrl}"` } = {}) {
      const created = Math.floor(at / 1000)
      const all = {
        created,
        expires: created + 300,
        keyid,
        alg: 'ed25519',
        nonce: randomBytes(32).toString('base64'),
        tag: 'web-bot-auth',
        ...parameters,
      }
      const message = {
        kind: 'request' as const,
        method: 'POST',
        targetUri: url,
        fields: [{ name: 'signature-agent', value: agent }],
      }
      const { signature, signatureInput } = await createSignature(message, {
        label: 'sig',
        components: components ?? ['@authority', { name: 'signature-agent', parameters: { key: 'sig' } }],
        parameters: all as SignatureParameters,
        signer,
      })
      return { signature, 'signature-input': signatureInput, 'signature-agent': agent }
    },
  }
}

/** The types of Node say that Ed25519 may be a single key. */
const ed25519Pair = () =>
  crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']) as Promise<nodeCrypto.CryptoKeyPair>

export interface DirectoryOptions {
  readonly id?: string
  readonly name?: string
  readonly category?: BotCategory
  readonly agentUrl?: string
}

/** The service fetches a directory with these keys, as `ringfence data update` does. */
export async function publishKeys(
  { dataFolder, now }: { readonly dataFolder: string; readonly now: number },
  keys: readonly object[],
  { name = 'Example-Agent', category = 'aiAgent', agentUrl = 'https://agent.example' }: DirectoryOptions = {},
): Promise<void> {
  const file = join(dataFolder, 'directory.json')
  await writeFile(file, JSON.stringify({ keys }))
  const agents = { example: { url: `file://${file}`, name, operator: 'Example', category, agent: agentUrl } }
  await updateSignatureAgents({ dataFolder, now, agents })
}
