// Does any CAMARA client learn of us whether a phone has a number, once, and only of the phone that came back to it?

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import * as oidc from 'openid-client'
import { dropExpiredVerifications } from '../../telecom/number-verification/retention.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import {
  type Begun,
  begin,
  call,
  discovered,
  listRedirectUrl,
  ofShare,
  ofVerify,
  openAsPhone,
  phoneService,
  redirectOf,
  redirectUri,
  tokenOf,
} from '../testing/phone-client.ts'

const [ordinary, onWifi, otherSim, foreign, noConsent, otherwise, withoutChecks, noOperator, failing] = [
  ...['1726', '0170', '0171', '0172', '0173', '0174', '0140', '0132', '0150'],
].map((end) => `91702014${end}`) as [string, string, string, string, string, string, string, string, string]
const byNetwork = 'NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK'
const sha256 = (text: string) => hash('sha256', text, 'hex')

eachDatabase(({ engine, open }) => {
  test(`openid-client verifies and reads the number of a phone (${engine})`, async (t) => {
    const service = await phoneService(t, await open(t))
    const { url, credentials } = service
    const config = await discovered(service)
    for (const scope of [ofVerify, ofShare]) {
      const begun = await begin(config, ordinary, scope)
      const tokens = await oidc.authorizationCodeGrant(config, await openAsPhone(begun), begun.checks)
      assert.deepEqual([tokens.scope, tokens.expires_in], [scope, 300])
      const lifetime = decodeJwt(tokens.access_token)
      assert.equal(lifetime.exp! - lifetime.iat!, 300)
      const claims = tokens.claims()!
      assert.deepEqual([claims.aud, claims.iss], [credentials.clientId, `${url}/camara`])
      assert.ok(!JSON.stringify([claims, tokens.access_token]).includes(ordinary))
      const correlator = { 'x-correlator': 'sign-in-4711' }
      const body = scope === ofVerify ? { phoneNumber: `+${ordinary}` } : undefined
      const answer = await call(url, tokens.access_token, body, correlator)
      const expected = body ? { devicePhoneNumberVerified: true } : { devicePhoneNumber: `+${ordinary}` }
      assert.deepEqual([answer.status, answer.body], [200, expected])
      assert.equal(answer.headers.get('x-correlator'), 'sign-in-4711')
      assert.equal(answer.headers.get('x-ringfence-sandbox'), 'true')
      const again = await call(url, tokens.access_token, body)
      assert.deepEqual([again.status, again.body.code], [401, 'UNAUTHENTICATED'], 'a token is for one call')
      // The id token is no access token.
      assert.equal((await call(url, tokens.id_token!, body)).status, 401)
    }
    assert.deepEqual((await call(url, await tokenOf(service, otherSim), { phoneNumber: `+${otherSim}` })).body, {
      devicePhoneNumberVerified: false,
    })
  })

  test(`a code is exchanged once, by its client, with its verifier and redirect_uri, in its minute (${engine})`, async (t) => {
    const service = await phoneService(t, await open(t))
    const { url, parts: needs, tenantId, clock } = service
    const exchange = async (
      code: string | null,
      { checks }: Begun,
      client = service.credentials,
      uri = redirectUri,
    ) => {
      const fields = { grant_type: 'authorization_code', code: code ?? '', redirect_uri: uri }
      const { clientId: client_id, clientSecret: client_secret } = client
      const response = await fetch(`${url}/camara/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({ ...fields, code_verifier: checks.pkceCodeVerifier, client_id, client_secret }),
      })
      return (await response.json()) as { error?: string; access_token: string }
    }
    const config = await discovered(service)
    const returned = async () => {
      const begun = await begin(config, ordinary)
      return { begun, code: (await openAsPhone(begun)).searchParams.get('code') }
    }
    const sibling = await needs.clients.createClient(tenantId, 'sibling')
    const tenant = await needs.tenantKeyring.createTenant('other')
    const stranger = await needs.clients.createClient(tenant.id, 'stranger')

    const first = await returned()
    for (const thief of [sibling, stranger])
      assert.equal((await exchange(first.code, first.begun, thief)).error, 'invalid_grant')
    const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(first.code, first.begun)))
    const issued = answers.filter(({ error }) => error === undefined)
    assert.equal(issued.length, 1)
    const replayed = await call(url, issued[0]!.access_token, { phoneNumber: `+${ordinary}` })
    assert.ok([200, 401].includes(replayed.status), 'a replay may end the token')

    const [one, two] = [await returned(), await returned()]
    assert.equal((await exchange(one.code, two.begun)).error, 'invalid_grant', 'injected into another flow')
    assert.equal((await exchange(one.code, one.begun)).error, 'invalid_grant', 'and used up')
    assert.equal((await exchange(two.code, two.begun, undefined, `${redirectUri}/`)).error, 'invalid_grant')

    const stolen = await returned()
    const { access_token: ended } = await exchange(stolen.code, stolen.begun)
    assert.equal((await exchange(stolen.code, stolen.begun)).error, 'invalid_grant')
    assert.equal((await call(url, ended, { phoneNumber: `+${ordinary}` })).status, 401, 'a replay ends the token')

    const late = await returned()
    clock.advance({ seconds: 60 })
    assert.equal((await exchange(late.code, late.begun)).error, 'invalid_grant')
    assert.equal((await exchange('', late.begun)).error, 'invalid_grant')
    clock.advance({ hours: 2 })
    await dropExpiredVerifications(needs)
    assert.deepEqual(await needs.database.query('select id_hash from number_verification', []), [])
  })
})

const { open } = sqliteDatabases

test('what the operator does not say is an error of the redirect or of the call, and never false', async (t) => {
  const service = await phoneService(t, await open(t), { settings: { recordedEvents: 'all' } })
  const config = await discovered(service)
  const errors = {
    [onWifi]: 'login_required',
    [foreign]: 'login_required',
    [noConsent]: 'access_denied',
    [withoutChecks]: 'access_denied',
    [noOperator]: 'access_denied',
    '9170': 'invalid_request',
  }
  for (const [phoneNumber, expected] of Object.entries(errors)) {
    const begun = await begin(config, phoneNumber)
    const back = await openAsPhone(begun)
    assert.equal(back.searchParams.get('error'), expected, phoneNumber)
    assert.equal(back.searchParams.get('state'), begun.checks.expectedState)
    assert.equal(back.searchParams.get('code'), null)
    await assert.rejects(oidc.authorizationCodeGrant(config, back, begun.checks), { error: expected })
  }
  for (const [phoneNumber, status, code] of [
    [otherwise, 403, byNetwork],
    [failing, 503, 'UNAVAILABLE'],
  ] as const) {
    const answer = await call(service.url, await tokenOf(service, phoneNumber), { phoneNumber: `+${phoneNumber}` })
    assert.deepEqual([answer.status, answer.body.code], [status, code], phoneNumber)
  }
  const { body } = await service.post('/v1/events/search', { phoneNumber: onWifi, type: 'telecom.check.completed' })
  const { check, result, consent } = body.events[0].data
  assert.deepEqual(
    [check, result, consent.purpose],
    ['numberVerification', 'unknown', 'dpv:FraudPreventionAndDetection'],
  )
})

test('a token answers about the number of login_hint, and about others only what follows', async (t) => {
  const service = await phoneService(t, await open(t))
  const ask = async (hinted: string, body: object) => {
    const { status, body: answer } = await call(service.url, await tokenOf(service, hinted), body)
    return [status, answer.devicePhoneNumberVerified ?? answer.code]
  }
  const [own, other] = [`+${ordinary}`, '+917020141799']
  assert.deepEqual(await ask(ordinary, { hashedPhoneNumber: sha256(own).toUpperCase() }), [200, true])
  assert.deepEqual(await ask(ordinary, { phoneNumber: other }), [200, false])
  assert.deepEqual(await ask(ordinary, { hashedPhoneNumber: sha256(other) }), [200, false])
  // The phone has not the hinted number: perhaps it has this one.
  assert.deepEqual(await ask(otherSim, { phoneNumber: other }), [403, 'INVALID_TOKEN_CONTEXT'])
  assert.deepEqual(await ask(otherSim, { hashedPhoneNumber: sha256(other) }), [403, 'INVALID_TOKEN_CONTEXT'])
})

test('a wrong request does not use a token up, and a token of the client or of the other call does not answer', async (t) => {
  const service = await phoneService(t, await open(t))
  const { url, credentials } = service
  const token = await tokenOf(service, ordinary)
  const phoneNumber = `+${ordinary}`
  for (const body of [
    {},
    { additional_property: 'x' },
    { phoneNumber, hashedPhoneNumber: sha256(phoneNumber) },
    { phoneNumber: ordinary },
  ]) {
    const answer = await call(url, token, body)
    assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_ARGUMENT'], JSON.stringify(body))
  }
  const forbidden = await call(url, token)
  assert.deepEqual([forbidden.status, forbidden.body.code], [403, 'PERMISSION_DENIED'])
  assert.equal((await call(url, token, { phoneNumber })).body.devicePhoneNumberVerified, true)

  const config = await discovered(service)
  const { access_token: ofClient } = await oidc.clientCredentialsGrant(config, { scope: 'number-verification:verify' })
  const answer = await call(url, ofClient, { phoneNumber })
  assert.deepEqual([answer.status, answer.body.code], [403, byNetwork])

  const revoked = await tokenOf(service, ordinary)
  await service.parts.clients.revoke(credentials.clientId)
  service.clock.advance({ seconds: 2 })
  assert.equal((await call(url, revoked, { phoneNumber })).status, 401)
})

test('nobody is redirected to a URL that no app of the client lists', async (t) => {
  const service = await phoneService(t, await open(t))
  const { parts: needs, tenantId } = service
  const config = await discovered(service)
  const refused = async (url: URL) => {
    const response = await fetch(url, { redirect: 'manual' })
    assert.deepEqual([response.status, response.headers.get('location')], [400, null], url.href)
    assert.equal(((await response.json()) as { error: string }).error, 'invalid_request')
  }
  const uris = [
    `${redirectUri}/`,
    `${redirectUri}?x=1`,
    'https://evil.example',
    'javascript:alert(1)',
    redirectUri.toUpperCase(),
    '',
  ]
  for (const uri of uris) await refused((await begin(config, ordinary, ofVerify, { redirect_uri: uri })).url)
  const { url } = await begin(config, ordinary)
  const twice = new URL(`${url}&redirect_uri=${encodeURIComponent('https://evil.example')}`)
  await refused(twice)
  for (const id of ['rfc_unknown', '__proto__'])
    await refused((await begin(config, ordinary, ofVerify, { client_id: id })).url)

  const tenant = await needs.tenantKeyring.createTenant('other')
  const stranger = await needs.clients.createClient(tenant.id, 'stranger')
  await refused((await begin(await discovered(service, stranger), ordinary)).url)
  // An app may name the clients that get its codes.
  const sibling = await needs.clients.createClient(tenantId, 'sibling')
  const own = 'https://own.example/callback'
  await listRedirectUrl(service, { redirectUrls: [own], codeClients: [sibling.clientId] })
  await refused((await begin(config, ordinary, ofVerify, { redirect_uri: own })).url)
  const ofSibling = await discovered(service, sibling)
  assert.equal(
    (await redirectOf((await begin(ofSibling, ordinary, ofVerify, { redirect_uri: own })).url)).pathname,
    '/oauth2/authorize',
  )
})

test('a wrong authorization request is told to the client, and no operator is asked', async (t) => {
  const service = await phoneService(t, await open(t))
  const config = await discovered(service)
  const wrong: [expected: string, changes: Record<string, string>][] = [
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge: '' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { login_hint: '' }],
    ['invalid_request', { login_hint: `tel:${ordinary}` }],
    ['invalid_request', { login_hint: `tel:+${ordinary};x` }],
    ['invalid_request', { prompt: 'login' }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_request', { nonce: 'n'.repeat(513) }],
    ['request_not_supported', { request: 'a.b.c' }],
    ['request_uri_not_supported', { request_uri: 'https://evil.example/r' }],
    ['invalid_scope', { scope: 'number-verification:verify' }],
    ['invalid_scope', { scope: 'openid' }],
    ['invalid_scope', { scope: 'openid sim-swap:check' }],
    ['invalid_scope', { scope: `${ofVerify} number-verification:device-phone-number:read` }],
  ]
  for (const [expected, changes] of wrong) {
    const back = await redirectOf((await begin(config, ordinary, ofVerify, changes)).url)
    const { origin, pathname, searchParams } = back
    assert.deepEqual([origin + pathname, searchParams.get('error')], [redirectUri, expected], JSON.stringify(changes))
    assert.equal(searchParams.get('iss'), `${service.url}/camara`)
  }
  const { url } = await begin(config, ordinary)
  assert.equal((await redirectOf(new URL(`${url}&scope=openid`))).searchParams.get('error'), 'invalid_request')
  assert.equal(service.sandbox.calls.last(99).filter(({ path }) => path.startsWith('/oauth2/authorize')).length, 0)
})

test('an attacker cannot pass off another phone, replay a return, or complete it elsewhere', async (t) => {
  const service = await phoneService(t, await open(t))
  const { url, sandbox, post } = service
  const config = await discovered(service)
  const victim = '917020141799'

  // He opens the URL of the victim's number with his own phone.
  const direct = await begin(config, victim)
  sandbox.phones.set('127.0.0.1', { number: ordinary, connection: 'mobile' })
  const { access_token: token } = await oidc.authorizationCodeGrant(config, await openAsPhone(direct), direct.checks)
  assert.equal((await call(url, token, { phoneNumber: `+${victim}` })).body.devicePhoneNumberVerified, false)

  // He gives the code of his operator to the flow of the victim's number, with its right state.
  const [his, theirs] = [await begin(config, ordinary), await begin(config, victim)]
  const [atOperator, ofVictim] = [await redirectOf(his.url), await redirectOf(theirs.url)]
  const back = await redirectOf(atOperator)
  const mixed = new URL(back)
  mixed.searchParams.set('state', ofVictim.searchParams.get('state')!)
  const { access_token: injected } = await oidc.authorizationCodeGrant(config, await redirectOf(mixed), theirs.checks)
  const answer = await call(url, injected, { phoneNumber: `+${victim}` })
  assert.deepEqual([answer.status, answer.body.code], [503, 'UNAVAILABLE'], 'neither verifier nor nonce fit')

  // A return counts once; a second visit, or a guessed state, leads nowhere.
  const again = await begin(config, ordinary)
  const returned = await redirectOf(await redirectOf(again.url))
  const toClient = await redirectOf(returned)
  for (const visit of [returned, new URL('?state=camara-guess&code=x', returned)]) {
    const response = await fetch(visit, { redirect: 'manual' })
    assert.deepEqual([response.status, response.headers.get('location')], [400, null])
  }
  // Our state and our code complete no verification of a backend, and are no codes of each other.
  const [state, code] = [returned.searchParams.get('state')!, toClient.searchParams.get('code')!]
  for (const verificationId of [state, code]) {
    const completed = await post(`/v1/telecom/number-verifications/${verificationId}/complete`, { state, code: 'x' })
    assert.equal(completed.status, 404)
  }
  const elsewhere = new URL(toClient)
  elsewhere.searchParams.set('code', state)
  await assert.rejects(oidc.authorizationCodeGrant(config, elsewhere, again.checks), { error: 'invalid_grant' })
  // A client that checks its state is not logged in as somebody else.
  await assert.rejects(oidc.authorizationCodeGrant(config, toClient, his.checks), { code: 'OAUTH_INVALID_RESPONSE' })
  assert.ok((await oidc.authorizationCodeGrant(config, toClient, again.checks)).access_token)
})

test('a verification costs, is recorded with its purpose, and ends at the daily cap', async (t) => {
  const service = await phoneService(t, await open(t), {
    settings: { recordedEvents: 'all' },
    edit: (parts) => ({
      ...parts,
      costs: {
        currency: 'EUR',
        prices: { sandbox: { numberVerification: 20_000 } },
        dailyCap: { checks: { numberVerification: 30_000 } },
      },
    }),
  })
  const phoneNumber = `+${ordinary}`
  const ask = async () => call(service.url, await tokenOf(service, ordinary), { phoneNumber })
  assert.equal((await ask()).status, 200)
  const capped = await ask()
  assert.deepEqual([capped.status, capped.body.code], [429, 'QUOTA_EXCEEDED'])
  const { body } = await service.post('/v1/events/search', { phoneNumber: ordinary, type: 'telecom.check.completed' })
  const told = body.events.map(({ data }: { data: Record<string, unknown> }) => [
    ...[data.result, data.cost, data.by, (data.consent as { purpose: string }).purpose],
  ])
  const by = service.credentials.clientId
  assert.deepEqual(told.toReversed(), [
    ['no', { currency: 'EUR', micros: 20_000 }, by, 'dpv:FraudPreventionAndDetection'],
    ['unknown', { currency: 'EUR', micros: 0 }, by, 'dpv:FraudPreventionAndDetection'],
  ])
})
