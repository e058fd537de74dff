// How is the request of a scenario sent? To our own CAMARA API, with the access token that the scenario wants.

import * as oidc from 'openid-client'
import { basic, sandboxClient } from '../../server/src/camara-front/testing/apis.ts'
import { discovered, ofShare, ofVerify, tokenOf } from '../../server/src/camara-front/testing/phone-client.ts'
import type { Received, World } from './world.ts'

const purpose = 'dpv:FraudPreventionAndDetection'

export async function send(world: World): Promise<Received> {
  const { service, path, correlator, body } = world
  const isGet = path.endsWith('/device-phone-number')
  const authorization = await authorizationOf(world)
  const content = typeof body === 'object' ? JSON.stringify(body) : body
  const base = world.target === 'front' ? service.url : service.sandbox.url
  const response = await fetch(base + path, {
    method: isGet ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'x-correlator': correlator,
      ...(authorization !== undefined && { authorization }),
    },
    ...(!isGet && content !== undefined && { body: content }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

async function authorizationOf(world: World): Promise<string | undefined> {
  const { token, service } = world
  if (token === 'none') return undefined
  const text = await (world.api === 'number-verification' ? phoneToken(world) : clientToken(world))
  if (token === 'expired') service.clock.advance({ hours: 2 })
  return `Bearer ${token === 'changed' ? text.replace(/.{8}$/, 'AAAAAAAA') : text}`
}

async function clientToken({ target, service, token, scope, api }: World): Promise<string> {
  const other = api === 'sim-swap' ? 'device-swap:check' : 'sim-swap:check'
  const { clientId, clientSecret } = service.credentials
  const [url, authorization] =
    target === 'front'
      ? [`${service.url}/camara/oauth2/token`, basic(clientId, clientSecret)]
      : [`${service.sandbox.url}/oauth2/token`, basic(...sandboxClient)]
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: `${purpose} ${token === 'of another call' ? other : scope}`,
    }),
  })
  const answer = (await response.json()) as { access_token?: string }
  if (answer.access_token === undefined) throw new Error(`no access token: ${JSON.stringify(answer)}`)
  return answer.access_token
}

/** Number Verification needs one of the phone; a client alone was not authenticated by its network. */
async function phoneToken({ service, token, number, path }: World): Promise<string> {
  const [scope, other] = path.endsWith('/verify') ? [ofVerify, ofShare] : [ofShare, ofVerify]
  if (token === 'not of the network') {
    const ofClient = { scope: scope.replace('openid ', '') }
    return (await oidc.clientCredentialsGrant(await discovered(service), ofClient)).access_token
  }
  return tokenOf(service, number, token === 'of another call' ? other : scope)
}
