// Who sends an expensive request? Strangers without credentials, with wrong ones, and each kind of caller with the right ones.

import { endpoints, type IntelligenceRequest } from '@ringfence/contract'
import type { IssuedCredentials } from '../../../../server/src/clients/credentials.ts'
import { type SdkClient, sdkClientOf } from '../../../../server/src/testing/sdk-client.ts'
import type { ServiceProcess } from '../service-process.ts'
import type { CostCase } from './cases.ts'

/** `none`, `wrong`: it is not known who sends it. */
export const senders = ['none', 'wrong', 'right'] as const
export type Sender = (typeof senders)[number]

/** One request, ready to be sent. */
export interface Ready {
  readonly url: string
  readonly init: RequestInit
}

/** Makes a case ready, with a new session and challenge where it needs them: that is not measured. */
export type MakeReady = (from: CostCase, sender: Sender) => Promise<Ready>

/** A tenant with a client, an app, and a client that has the role of an owner. */
export async function makeCallers(service: ServiceProcess, more: Readonly<Record<string, string>> = {}) {
  const tenantId = await service.command('createTenant', 'cost')
  const client: IssuedCredentials = await service.command('createClient', tenantId, 'client')
  const admin: IssuedCredentials = await service.command('createAdmin', tenantId)
  const app = await service.command('createApp', tenantId)
  const accessToken = await accessTokenOf(service.url, client)

  async function headersOf(
    { endpoint: { caller } }: CostCase,
    sender: Sender,
    sdk: SdkClient<{ id: string }> | undefined,
  ) {
    if (sender === 'none' || caller === 'anyone') return {}
    const isRight = sender === 'right'
    switch (caller) {
      case 'client':
      case 'admin': {
        const { clientId, clientSecret } = caller === 'client' ? client : admin
        return { clientId, clientSecret: isRight ? clientSecret : mistyped(clientSecret) }
      }
      case 'token':
        return { authorization: `Bearer ${isRight ? accessToken : mistyped(accessToken, -5)}` }
      case 'app':
        return { appId: isRight ? app.id : mistyped(app.id), origin: 'https://shop.example' }
      case 'session':
        return isRight ? sdk!.headers : { ...sdk!.headers, authorization: `Bearer ${sdk!.sessionToken}x` }
    }
  }

  const makeReady: MakeReady = async (from, sender) => {
    const sdk =
      from.endpoint.caller === 'session' && sender !== 'none'
        ? await sdkClientOf(app, service, { headers: { ...more } })
        : undefined
    return {
      url: service.url + from.path,
      init: {
        method: from.endpoint.method,
        redirect: 'manual',
        headers: {
          ...(from.body !== undefined && { 'content-type': from.type }),
          ...more,
          ...(await headersOf(from, sender, sdk)),
        },
        ...(from.body !== undefined && { body: sdk ? ofSession(from.body, sdk) : from.body }),
      },
    }
  }
  return { makeReady, client, tenantId }
}

/** With another character at this place. The last one of a signature may have bits that nobody reads. */
const mistyped = (text: string, at = -1) => [...text].with(at, text.at(at) === 'x' ? 'y' : 'x').join('')

/** The body with the session and its challenge. One that is no JSON, or whose fields were replaced, stays. */
function ofSession(body: string, sdk: SdkClient<{ id: string }>): string {
  let fields: unknown
  try {
    fields = JSON.parse(body)
  } catch {
    return body
  }
  if (typeof fields !== 'object' || fields === null || !('tsId' in fields)) return body
  const { requestId, challenge, tsId, inId, platform } = sdk.engineBody() as IntelligenceRequest
  return JSON.stringify({ ...fields, requestId, challenge, tsId, inId, platform })
}

async function accessTokenOf(url: string, { clientId, clientSecret }: IssuedCredentials): Promise<string> {
  const response = await fetch(`${url}/camara/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'sim-swap',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  })
  const { access_token: token } = (await response.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`the token endpoint answered ${response.status}`)
  return token
}

/** An ordinary call of a backend: a decision. */
export const ordinaryCall = (
  { url }: { url: string },
  { clientId, clientSecret }: IssuedCredentials,
  address: string,
) =>
  send({
    url: url + endpoints.decide.path,
    init: {
      method: 'POST',
      headers: { 'content-type': 'application/json', clientId, clientSecret, 'x-forwarded-for': address },
      body: JSON.stringify({ action: 'LOGIN', userId: 'customer-4711' }),
    },
  })

/** The status of the answer, when all of it has arrived; 0 when the connection was closed. */
export async function send({ url, init }: Ready): Promise<number> {
  try {
    const response = await fetch(url, init)
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}
