// Which settings do all upstreams over HTTP share? URLs, limits and TLS.

import { createSecureContext } from 'node:tls'
import Type, { type Static } from 'typebox'
import { readUrl } from '../core/address/called-url.ts'
import { type ReadSecret, SecretReference } from '../core/config/secret-reference.ts'
import type { EgressProxy, TlsMaterial } from './connections.ts'
import type { Limits } from './guard.ts'

const defaults = { timeoutMs: 4000, connectTimeoutMs: 2000, concurrentCalls: 100, waitingCalls: 100 }

/** The URL that the paths of all calls are added to. */
export const BaseUrl = (description: string) => Type.String({ pattern: '^https?://[^?#]+$', description })

/** @param usual without it, the path of the version that Ringfence knows */
export const ApiPath = (usual: string) =>
  Type.Optional(
    Type.String({
      pattern: '^/.*[^/]$',
      default: usual,
      description: 'path and version of the API, added to the base URL',
    }),
  )

/** Keys that every upstream has beside its own. */
export const limitProperties = {
  timeoutMs: Type.Optional(
    Type.Integer({
      minimum: 50,
      maximum: 30_000,
      default: defaults.timeoutMs,
      description: 'time limit of one attempt, in ms; keep it below the deadline of a request (5,000 ms by default)',
    }),
  ),
  connectTimeoutMs: Type.Optional(
    Type.Integer({
      minimum: 50,
      maximum: 30_000,
      default: defaults.connectTimeoutMs,
      description: 'time limit for a new connection, TLS included, in ms',
    }),
  ),
  concurrentCalls: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: defaults.concurrentCalls,
      description:
        'the largest number of calls at the same time, of all APIs together; each uses one connection. Requests for tokens have the same limit for themselves',
    }),
  ),
  waitingCalls: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: defaults.waitingCalls,
      description: 'how many more calls may wait for a free connection; beyond that, a check fails at once',
    }),
  ),
  egressProxy: Type.Optional(
    Type.Object(
      {
        url: Type.String({ pattern: '^https?://[^/?#@]+/?$', description: 'for example http://proxy.example:3128' }),
        authorization: Type.Optional({
          ...SecretReference,
          description: 'the value of the header Proxy-Authorization, such as "Basic …"',
        }),
      },
      { additionalProperties: false, description: 'an HTTP proxy that the calls go through, by CONNECT' },
    ),
  ),
  tls: Type.Optional(
    Type.Object(
      {
        ca: Type.Optional({
          ...SecretReference,
          description: 'PEM of the authorities to trust, in place of the well-known ones',
        }),
        certificate: Type.Optional({ ...SecretReference, description: 'PEM of our client certificate (mutual TLS)' }),
        privateKey: Type.Optional({ ...SecretReference, description: 'PEM of the key of that certificate' }),
      },
      {
        additionalProperties: false,
        description: 'for an operator with a private certificate authority, or with mutual TLS',
      },
    ),
  ),
}
const LimitSettings = Type.Object(limitProperties)
export type LimitSettings = Static<typeof LimitSettings>

/** Fills in the defaults and reads the TLS material. Throws an error that names the key that cannot be read. */
export function limitsOf(settings: LimitSettings, readSecret: ReadSecret): Limits {
  const {
    timeoutMs = defaults.timeoutMs,
    connectTimeoutMs = defaults.connectTimeoutMs,
    concurrentCalls = defaults.concurrentCalls,
    waitingCalls = defaults.waitingCalls,
    tls,
    egressProxy,
  } = settings
  const material = tls && tlsMaterial(tls, readSecret)
  return {
    timeoutMs,
    connectTimeoutMs,
    concurrentCalls,
    waitingCalls,
    ...(material && { tls: material }),
    ...(egressProxy && { egress: proxyOf(egressProxy, readSecret) }),
  }
}

function proxyOf(
  { url, authorization }: NonNullable<LimitSettings['egressProxy']>,
  readSecret: ReadSecret,
): EgressProxy {
  if (!URL.canParse(url)) throw new Error('egressProxy.url is not a URL')
  return { url, ...(authorization && { authorization: readSecret(authorization) }) }
}

function tlsMaterial(
  { ca, certificate, privateKey }: NonNullable<LimitSettings['tls']>,
  readSecret: ReadSecret,
): TlsMaterial {
  if (!certificate !== !privateKey)
    throw new Error('tls.certificate and tls.privateKey must be set together: one is missing')
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

/** The URL of an API: its path below a base URL, which may end with a slash. Throws an error that names the key of the base URL. */
export const apiUrl = (key: string, baseUrl: string, path: string, sandbox = false): URL =>
  readUrl(key, baseUrl.replace(/\/+$/, '') + path, sandbox)
