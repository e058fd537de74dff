import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import * as oauth from 'oauth4webapi'
import * as oidc from 'openid-client'
import { basicCredentials } from '../http/credentials/basic-credentials.ts'
import {
  codeChallenge,
  codeVerifier,
  email,
  pressButton,
  redirectUrl,
  type SignInService,
  startSignInService,
} from '../sign-in/authentication/testing/sign-in-service.ts'
import { signInOfCode } from '../sign-in/authentication/transaction.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { createApp, sdkClient } from '../testing/sdk-client.ts'

/** A service whose clock shows the real time, which OAuth libraries use. */
async function startService(
  t: TestContext,
  open: (t: TestContext) => ReturnType<typeof sqliteDatabases.open>,
  app: object = {},
) {
  const service = await startSignInService(t, await open(t), { app })
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  return { ...service, client: await sdkClient(service, { app: service.app }) }
}

/** The code with which a magic link leads back. The start has no challenge, so that clients without PKCE can exchange it. */
async function newCode({ client, link, start }: SignInService, codeChallenge?: string): Promise<string> {
  const started = await start({ channel: 'MAGIC_LINK', identity: email, redirectUrl, codeChallenge }, client)
  assert.equal(started.status, 200, JSON.stringify(started.body))
  const { response } = await pressButton(link())
  return new URL(response.headers.get('location')!).searchParams.get('ringfence_code')!
}

async function exchange(
  { url }: SignInService,
  body: string | Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${url}/auth/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(body),
    headers,
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, string> }
}

const fieldsOf = ({ credentials }: SignInService) => ({
  client_id: credentials.clientId,
  client_secret: credentials.clientSecret,
})
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

eachDatabase(({ engine, open }) => {
  for (const authenticate of [oidc.ClientSecretBasic, oidc.ClientSecretPost]) {
    test(`openid-client discovers the service and exchanges a code, with its verifier if it has a challenge, with ${authenticate.name} (${engine})`, async (t) => {
      const service = await startService(t, open)
      const { clientId, clientSecret } = service.credentials
      const config = await oidc.discovery(
        new URL(service.url),
        clientId,
        { id_token_signed_response_alg: 'RS256' },
        authenticate(clientSecret),
        { execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks] },
      )
      assert.deepEqual(config.serverMetadata().response_types_supported, ['id_token'])
      const { authorization_endpoint: authorization = '' } = config.serverMetadata()
      const refused = await fetch(authorization)
      const { error } = (await refused.json()) as { error: string }
      assert.deepEqual([refused.status, error], [400, 'unsupported_response_type'], 'people sign in through the SDKs')
      const code = await newCode(service)
      const tokens = await oidc.genericGrantRequest(config, 'authorization_code', { code, redirect_uri: redirectUrl })
      assert.equal(tokens.claims()?.email, email.value)
      assert.equal((await service.post('/auth/v1/validate/token', { token: tokens.access_token })).status, 200)
      await assert.rejects(oidc.genericGrantRequest(config, 'authorization_code', { code }), {
        error: 'invalid_grant',
        status: 400,
      })
      assert.equal(config.serverMetadata().supportsPKCE(), true)
      const bound = await newCode(service, codeChallenge)
      const withVerifier = (code_verifier: string) =>
        oidc.genericGrantRequest(config, 'authorization_code', { code: bound, code_verifier })
      await assert.rejects(oidc.genericGrantRequest(config, 'authorization_code', { code: bound }), {
        error: 'invalid_grant',
      })
      await assert.rejects(withVerifier(`${codeVerifier}x`), { error: 'invalid_grant' })
      await assert.rejects(withVerifier(codeVerifier.slice(1)), { error: 'invalid_request' })
      assert.equal((await withVerifier(codeVerifier)).claims()?.email, email.value)
      const unbound = { code: await newCode(service), code_verifier: codeVerifier }
      await assert.rejects(oidc.genericGrantRequest(config, 'authorization_code', unbound), { error: 'invalid_grant' })
      await assert.rejects(oidc.clientCredentialsGrant(config), { error: 'unsupported_grant_type', status: 400 })
    })
  }

  test(`a code is bound to the transaction that the caller names, and is not used up by another one (${engine})`, async (t) => {
    const service = await startService(t, open)
    const [code, other] = [await newCode(service), await newCode(service, codeChallenge)]
    const transactionOf = async (code: string) => (await signInOfCode(code, service.parts))!.content.transactionId
    const own = { ...fieldsOf(service), code }
    for (const [error, binding] of [
      ['invalid_grant', { transaction_id: await transactionOf(other) }],
      ['invalid_request', { transaction_id: 'x'.repeat(65) }],
      // What a backend sends whose session stored nothing.
      ['invalid_request', { transaction_id: '' }],
      ['invalid_request', { code_verifier: '' }],
    ] as const) {
      const refused = await exchange(service, { ...own, ...binding })
      assert.deepEqual([refused.status, refused.body.error], [400, error], JSON.stringify(binding))
    }
    const json = await service.post(endpoints.exchangeCode.path, { code, transaction_id: '' })
    assert.deepEqual([json.status, json.body.error], [400, 'invalid_request'])
    assert.equal((await exchange(service, { ...own, transaction_id: await transactionOf(code) })).status, 200)
  })

  test(`a code is bound to its redirect_uri, and to the clients that its app names (${engine})`, async (t) => {
    const service = await startService(t, open)
    const code = await newCode(service)
    const own = { ...fieldsOf(service), code, grant_type: 'authorization_code' }
    for (const redirect_uri of [redirectUrl.slice(0, -1), `${redirectUrl}&x=1`, new URL(redirectUrl).origin]) {
      const refused = await exchange(service, { ...own, redirect_uri })
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'], redirect_uri)
    }
    assert.equal((await exchange(service, { ...own, redirect_uri: redirectUrl })).status, 200)

    const second = await service.parts.clients.createClient(service.tenantId, 'second')
    const app = await createApp(service, { settings: { codeClients: [second.clientId] } })
    const client = await sdkClient(service, { app })
    const bound = await newCode({ ...service, client })
    const refused = await exchange(service, { ...fieldsOf(service), code: bound })
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
    const { clientId: client_id, clientSecret: client_secret } = second
    assert.equal((await exchange(service, { client_id, client_secret, code: bound })).status, 200)
  })
})

const { open } = sqliteDatabases

test('the answers of the token endpoint follow RFC 6749, 5.2, and oauth4webapi reads them', async (t) => {
  const service = await startService(t, open)
  const { clientId, clientSecret } = service.credentials
  const own = fieldsOf(service)
  const code = 'x'
  const right = basic(clientId, clientSecret)
  for (const [body, headers, status, error] of [
    [{ ...own, code }, {}, 400, 'invalid_grant'],
    [{ code }, right, 400, 'invalid_grant'],
    [{ code, client_id: clientId }, right, 400, 'invalid_grant'],
    [own, {}, 400, 'invalid_request'],
    [{ ...own, code: '' }, {}, 400, 'invalid_request'],
    [{ ...own, code, grant_type: '' }, {}, 400, 'invalid_grant'],
    [{ ...own, grant_type: 'authorization_code' }, {}, 400, 'invalid_request'],
    [{ ...own, code, grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
    [{ ...own, grant_type: 'client_credentials' }, {}, 400, 'unsupported_grant_type'],
    [{ grant_type: 'refresh_token' }, right, 400, 'unsupported_grant_type'],
    [`code=a&code=b&client_id=${clientId}&client_secret=${clientSecret}`, {}, 400, 'invalid_request'],
    [{ code, client_secret: clientSecret }, right, 400, 'invalid_request'],
    [{ code }, {}, 401, 'invalid_client'],
    [{ ...own, code, client_secret: 'rfs_wrong' }, {}, 401, 'invalid_client'],
    [{ code }, basic(clientId, 'rfs_wrong'), 401, 'invalid_client'],
    [{ ...own, code }, basic(clientId, 'rfs_wrong'), 401, 'invalid_client'],
    [{ code }, { authorization: 'Basic !' }, 401, 'invalid_client'],
    [{ code }, { authorization: 'Bearer x' }, 401, 'invalid_client'],
  ] as [string | Record<string, string>, Record<string, string>, number, string][]) {
    const answer = await exchange(service, body, headers)
    assert.deepEqual([answer.status, answer.body.error], [status, error], JSON.stringify([body, headers]))
    assert.equal(typeof answer.body.error_description, 'string')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const isChallenged = status === 401 && 'authorization' in headers
    assert.match(answer.headers.get('www-authenticate') ?? '', isChallenged ? /^Basic realm="/ : /^$/, 'RFC 6749, 5.2')
  }

  const options = { [oauth.allowInsecureRequests]: true }
  const issuer = new URL(service.url)
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
  const request = (secret: string) =>
    oauth.genericTokenEndpointRequest(
      as,
      { client_id: clientId },
      oauth.ClientSecretBasic(secret),
      'authorization_code',
      { code },
      options,
    )
  const wrong = oauth.processGenericTokenEndpointResponse(as, { client_id: clientId }, await request('rfs_wrong'))
  await assert.rejects(wrong, { name: 'WWWAuthenticateChallengeError' })
  const unknown = oauth.processGenericTokenEndpointResponse(as, { client_id: clientId }, await request(clientSecret))
  await assert.rejects(unknown, { error: 'invalid_grant' })
})

test('reads id and secret of HTTP Basic as a form encodes them', () => {
  const read = (text: string) => basicCredentials(`Basic ${Buffer.from(text).toString('base64')}`)
  assert.deepEqual(read('rfc%5Fa:rfs_b'), { clientId: 'rfc_a', clientSecret: 'rfs_b' })
  assert.deepEqual(read('a+b:c%3Ad:e'), { clientId: 'a b', clientSecret: 'c:d:e' })
  for (const broken of ['a', 'a%:b', '%E0:b']) assert.deepEqual(read(broken), {}, broken)
  for (const other of [undefined, '', 'Bearer x', 'Basicx eA==']) {
    assert.equal(basicCredentials(other), undefined)
  }
  assert.deepEqual(basicCredentials('basic a b'), {})
})
