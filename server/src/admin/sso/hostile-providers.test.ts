import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase, sqliteDatabases, type TestDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { personWith } from '../people/test-person.ts'
import { browserOf } from '../people/testing.ts'
import { configure, configured, finishWith, inRealTime, startScriptedProvider } from './testing.ts'

type Ending = Parameters<TestDatabases['open']>[0]

async function scene(t: Ending, open: TestDatabases['open'], settings: object = {}) {
  const options = { settings: { ssoTargets: 'any', appRateBurst: 1000, ...settings } as const }
  const service = await startTestService(t, await open(t), options)
  inRealTime(service)
  const provider = await startScriptedProvider(t)
  provider.claims = { groups: ['fraud'] }
  const owner = await personWith(service, 'owner', 'Maya')
  return { service, provider, owner }
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('refuses an id token that is not for this client, this sign-in, this issuer or this time'), async (t) => {
    const { service, provider, owner } = await scene(t, open)
    const ssoId = await configure(owner, provider.issuer)
    const finish = () => finishWith(browserOf(service), ssoId, provider)
    assert.equal((await finish()).status, 200, 'as it is, it is right')
    const now = Math.floor(Date.now() / 1000)
    for (const claims of [
      { aud: 'another-client' },
      { aud: ['another-client', 'ringfence'], azp: 'another-client' },
      { nonce: 'of-another-sign-in' },
      { iss: 'https://login.evil.example' },
      { exp: now - 3600, iat: now - 7200 },
      { sub: undefined },
    ]) {
      provider.claims = { groups: ['fraud'], ...claims }
      const { status, body } = await finish()
      assert.deepEqual([status, body.type], [409, '/problems/sso-failed'], JSON.stringify(claims))
    }
    provider.claims = { groups: ['fraud'] }
    provider.signsWithOtherKey = true
    assert.equal((await finish()).body.type, '/problems/sso-failed', 'a key that is not published')
  })

  test(it('refuses the answer of another issuer, a missing one, and an error of the provider'), async (t) => {
    const { service, provider, owner } = await scene(t, open)
    const ssoId = await configure(owner, provider.issuer)
    const other = await startScriptedProvider(t)
    const finish = (edit: Parameters<typeof finishWith>[3]) => finishWith(browserOf(service), ssoId, provider, edit)
    for (const edit of [
      (fields: Record<string, string>) => ({ ...fields, iss: other.issuer }),
      ({ iss: _, ...fields }: Record<string, string>) => fields,
      ({ iss: _, code: __, ...fields }: Record<string, string>) => ({
        ...fields,
        error: 'access_denied',
        iss: provider.issuer,
      }),
      ({ code: _, ...fields }: Record<string, string>) => fields,
    ])
      assert.equal((await finish(edit)).body.type, '/problems/sso-failed')
    assert.ok(!provider.calls.includes('/token'), 'no code was sent anywhere')

    const browser = browserOf(service)
    const begun = (await browser.call('startSso', { ssoId })).body
    const { searchParams } = new URL(begun.authorizationUrl)
    await configure(owner, other.issuer)
    const back = { ssoId, state: searchParams.get('state'), code: 'a-code', iss: other.issuer }
    assert.equal((await browser.call('finishSso', back)).body.type, '/problems/sso-expired', 'the issuer has changed')
  })

  test(it('new keys of the provider are found at the next sign-in'), async (t) => {
    const { service, provider, owner } = await scene(t, open)
    const ssoId = await configure(owner, provider.issuer)
    for (let rotations = 0; rotations < 3; rotations++) {
      assert.equal((await finishWith(browserOf(service), ssoId, provider)).status, 200)
      await provider.rotate()
    }
    const documents = provider.calls.filter((path) => path.startsWith('/.well-known'))
    assert.equal(documents.length, 1, 'the discovery document is read once')
  })
})

test('a provider that hangs ends the sign-in in time, and the service answers others meanwhile', async (t) => {
  const { service, provider, owner } = await scene(t, sqliteDatabases.open)
  const ssoId = await configure(owner, provider.issuer)
  provider.silentAt = '/.well-known/openid-configuration'
  const starting = browserOf(service).call('startSso', { ssoId })
  assert.equal((await owner.call('me')).status, 200)
  const { body } = await starting
  assert.equal(body.type, '/problems/sso-failed')
  assert.match(body.detail, /did not answer in time/)
  provider.silentAt = '/token'
  const { body: finished } = await finishWith(browserOf(service), ssoId, provider)
  assert.equal(finished.type, '/problems/sso-failed')
})

test('an issuer is called at public addresses over https only, unless the operator of the server allows others', async (t) => {
  const { provider, owner } = await scene(t, sqliteDatabases.open, { ssoTargets: 'public' })
  const save = (issuer: string) => owner.call('saveSso', { ...configured, issuer }, { 'if-match': '*' })
  for (const issuer of [
    provider.issuer,
    'http://login.shop.example',
    'https://127.0.0.1:8443',
    'https://10.0.0.7',
    'https://169.254.169.254/latest',
    'https://[::1]:8443',
    'https://[fd00::1]',
  ]) {
    const { status, body } = await save(issuer)
    assert.equal(status, 400, issuer)
    assert.match(body.detail, /SSO_TARGETS=any/, issuer)
  }
  assert.equal((await save('https://user@login.shop.example')).status, 400)
  const { body } = await owner.call('testSso', { issuer: provider.issuer })
  assert.equal(body.isReady, false)
  assert.match(body.findings[0].text, /https/)
  assert.deepEqual(provider.calls, [])
})

test('a provider that names a private address is not followed there', async (t) => {
  const { service, provider, owner } = await scene(t, sqliteDatabases.open)
  for (const name of ['token_endpoint', 'jwks_uri', 'authorization_endpoint'] as const) {
    const next = await startScriptedProvider(t)
    next.metadata = { [name]: 'file:///etc/passwd' }
    const ssoId = await configure(owner, next.issuer)
    const { body } = await browserOf(service).call('startSso', { ssoId })
    assert.equal(body.type, '/problems/sso-failed', name)
  }
  const liar = await startScriptedProvider(t)
  liar.metadata = { issuer: provider.issuer }
  const ssoId = await configure(owner, liar.issuer)
  assert.equal((await browserOf(service).call('startSso', { ssoId })).body.type, '/problems/sso-failed')
})
