// What stays of the callback URL that all connections shared? It serves one connection, while its new URL is not registered yet.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceFindings } from '../../admin/doctor/service-findings.ts'
import { personWith } from '../../admin/people/test-person.ts'
import { browserOf } from '../../admin/people/testing.ts'
import { startSignInService } from '../../sign-in/authentication/testing/sign-in-service.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { sdkClient, shopReturnUrls } from '../../testing/sdk-client.ts'
import { clientId, startAuthorizationServer } from './testing/authorization-server.ts'

const redirectOf = (url: string) => new URL(url).searchParams.get('redirect_uri')
const backFrom = async (url: string) => (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? ''

eachDatabase(({ engine, open }) => {
  test(`one single sign-on keeps the shared URL until another tenant has one (${engine})`, async (t) => {
    const provider = await startAuthorizationServer(t)
    const service = await startSignInService(t, await open(t), { settings: { ssoTargets: 'any', appRateBurst: 1000 } })
    service.clock.advance({ ms: Date.now() - service.clock.now() })
    const fields = { name: 'Shop', issuer: provider.url, clientId, roles: [{ group: 'fraud', role: 'admin' }] }
    const shared = { ...fields, callback: 'shared' }
    const owner = await personWith(service, 'owner', 'Maya')
    const { connection, callbackUrl } = (await owner.call('saveSso', shared, { 'if-match': '*' })).body
    const { ssoId } = connection
    provider.redirectUris = [`${service.url}/console/sso`]
    const browser = browserOf(service)
    const begin = async () => (await browser.call('startSso', { ssoId })).body.authorizationUrl
    const finish = async (back: string) => {
      const { status, body } = await browser.call('finishSso', Object.fromEntries(new URL(back).searchParams))
      return status === 200 ? 'done' : body.type
    }
    assert.equal(await finish(await backFrom(await begin())), 'done')
    const found = (await serviceFindings(service.parts, service.tenantId)).find(({ subject }) => /SSO/.test(subject))
    assert.deepEqual([found?.state, found?.todo?.includes(callbackUrl)], ['warning', true])

    const back = await backFrom(await begin())
    const { id: tenantId } = await service.parts.tenantKeyring.createTenant('eve')
    const eve = await personWith({ ...service, tenantId }, 'owner', 'Eve')
    const refused = await eve.call('saveSso', shared, { 'if-match': '*' })
    assert.match(refused.body.detail, /another tenant has one too; register the callback URL/)
    assert.equal((await eve.call('saveSso', fields, { 'if-match': '*' })).status, 200)
    assert.equal(await finish(back), '/problems/sso-elsewhere')
    assert.equal(provider.received.length, 1, 'the second code was sent nowhere')
    assert.equal(redirectOf(await begin()), callbackUrl)
  })

  test(`one identity provider keeps the shared URL, and doctor names the new one (${engine})`, async (t) => {
    const provider = await startAuthorizationServer(t)
    const google = { type: 'oidc', method: 'GOOGLE', issuer: provider.url, clientId, callback: 'shared' }
    const service = await startSignInService(t, await open(t), { channels: { google } })
    service.clock.advance({ ms: Date.now() - service.clock.now() })
    const sharedUrl = `${service.url}/auth/v1/oauth/callback`
    provider.redirectUris = [sharedUrl]
    const request = { channel: 'OAUTH', identity: undefined, redirectUrl: shopReturnUrls[1] }
    const client = await sdkClient(service, { app: service.app })
    const { authorizationUrl } = (await service.start(request, client)).body
    assert.match(await backFrom(await backFrom(authorizationUrl)), /ringfence_code=/)
    const findings = await serviceFindings(service.parts, service.tenantId)
    const { state, todo } = findings.find(({ subject }) => subject === 'redirect URI google')!
    assert.deepEqual([state, todo?.includes(`${sharedUrl}/google`)], ['warning', true])
  })
})

test('a configuration with two connections does not start with a shared URL', async (t) => {
  const provider = { type: 'oidc', issuer: 'https://id.example', clientId }
  const channels = {
    google: { ...provider, method: 'GOOGLE', callback: 'shared' },
    corp: { ...provider, method: 'CORP' },
  }
  const starting = startSignInService(t, await sqliteDatabases.open(t), { channels })
  await assert.rejects(
    starting,
    /channels.google: callback is shared, which needs one connection, and there is corp too/,
  )
})
