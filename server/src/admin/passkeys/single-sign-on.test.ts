import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startIdentityProvider } from '../../sign-in/authentication/testing/identity-provider.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { personWith } from '../people/test-person.ts'
import { browserOf } from '../people/testing.ts'
import { configure, inRealTime, signInWith } from '../sso/testing.ts'

eachDatabase(({ engine, open }) => {
  test(`whoever uses single sign-on adds no other way in, which would outlive their account there (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { ssoTargets: 'any' } })
    inRealTime(service)
    const owner = await personWith(service, 'owner', 'Maya')
    const provider = await startIdentityProvider(t, [(await owner.call('readSso')).body.callbackUrl])
    provider.person = { sub: 'asha', name: 'Asha Rao', email: 'asha@shop.example', groups: ['fraud'] }
    const ssoId = await configure(owner, provider.issuer)
    const browser = browserOf(service)
    await signInWith(browser, ssoId, service)
    assert.equal((await browser.call('me')).status, 200)
    for (const name of ['beginPasskey', 'beginAuthenticator'] as const) {
      const { status, body } = await browser.call(name)
      assert.deepEqual([status, body.type], [409, '/problems/person-by-sso'], name)
    }
  })
})
