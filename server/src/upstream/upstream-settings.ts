// Which settings has every upstream that is asked over HTTP? Its addresses, limits and TLS.

import { createSecureContext } from 'node:tls'
import Type, { type Static } from 'typebox'
import { type ReadSecret, SecretReference } from '../config/secret-reference.ts'
import type { TlsMaterial } from './exchange.ts'
import type { Limits } from './guard.ts'

const defaults = { timeoutMs: 4000, connectTimeoutMs: 2000, concurrentCalls: 100, waitingCalls: 100 }

/** An address below which calls are made. */
export const BaseUrl = (description: string) => Type.String({ pattern: '^https?://[^?#]+$', description })

/** Keys that stand beside the others of an upstream. */
export const limitProperties = {
  timeoutMs: Type.Optional(
    Type.Integer({
      minimum: 50,
      maximum: 30_000,
      default: defaults.timeoutMs,
      description: 'how long one attempt may take, in ms; keep it below the deadline of a request, 5,000 ms by default',
    }),
  ),
  connectTimeoutMs: Type.Optional(
    Type.Integer({
      minimum: 50,
      maximum: 30_000,
      default: defaults.connectTimeoutMs,
      description: 'how long a new connection may take, TLS included, in ms',
    }),
  ),
  concurrentCalls: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: defaults.concurrentCalls,
      description: 'how many calls, each on a connection of its own, are under way at once',
    }),
  ),
  waitingCalls: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: defaults.waitingCalls,
      description: 'how many more may wait for their turn; beyond them a check fails at once',
    }),
  ),
  tls: Type.Optional(
    Type.Object(
      {
        ca: Type.Optional({
          ...SecretReference,
          description: 'PEM of the authorities to trust instead of the well-known ones',
        }),
        certificate: Type.Optional({ ...SecretReference, description: 'PEM of our client certificate (mutual TLS)' }),
        privateKey: Type.Optional({ ...SecretReference, description: 'PEM of its key' }),
      },
      { additionalProperties: false, description: 'for operators with an authority of their own, or mutual TLS' },
    ),
  ),
}
const LimitSettings = Type.Object(limitProperties)
export type LimitSettings = Static<typeof LimitSettings>

/** The limits of an upstream, complete. Throws an error that names what cannot be read. */
export function limitsOf(settings: LimitSettings, readSecret: ReadSecret): Limits {
  const {
    timeoutMs = defaults.timeoutMs,
    connectTimeoutMs = defaults.connectTimeoutMs,
    concurrentCalls = defaults.concurrentCalls,
    waitingCalls = defaults.waitingCalls,
    tls,
  } = settings
  const material = tls && tlsMaterial(tls, readSecret)
  return { timeoutMs, connectTimeoutMs, concurrentCalls, waitingCalls, ...(material && { tls: material }) }
}

function tlsMaterial(
  { ca, certificate, privateKey }: NonNullable<LimitSettings['tls']>,
  readSecret: ReadSecret,
): TlsMaterial {
  if (!certificate !== !privateKey) throw new Error('tls.certificate and tls.privateKey belong together: give both')
  const material = {
    ...(ca && { ca: readSecret(ca) }),
    ...(certificate && { cert: readSecret(certificate) }),
    ...(privateKey && { key: readSecret(privateKey) }),
  }
  try {
    createSecureContext(material)
  } catch (error) {
    throw new Error(`tls cannot be used: ${(error as Error).message}`)
  }
  return material
}

/** Reads an address of the configuration. Throws an error that names the key when it cannot be used. */
export function readUrl(key: string, text: string, sandbox = false): URL {
  const url = URL.parse(text)
  if (!url) throw new Error(`${key} is no address`)
  if (url.username || url.password) throw new Error(`${key} holds a user name or password; secrets stand elsewhere`)
  // Credentials and phone numbers travel there.
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !loopback && !sandbox) throw new Error(`${key} must begin with https://`)
  return url
}
