import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { personWith } from '@ringfence/server/admin/people/test-person.ts'
import { configure } from '@ringfence/server/admin/sso/testing.ts'
import {
  type IdentityProvider,
  startIdentityProvider,
} from '@ringfence/server/sign-in/authentication/testing/identity-provider.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { startTestService, type TestService } from '@ringfence/server/testing/test-service.ts'
import { inEachBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import { click, shows } from './testing/in-the-page.ts'

declare const document: {
  querySelectorAll(selector: string): Iterable<{ click(): void; readonly textContent: string }>
}
declare const location: { readonly origin: string; readonly pathname: string; readonly search: string }

let service: TestService
let provider: IdentityProvider
/** As a browser of this machine can open it: the service is at both. */
let names: { readonly localhost: string; readonly ipv4: string }
/** Where the provider returns people to. */
let base: string
const ends: (() => Promise<unknown>)[] = []
before(async () => {
  const t = { after: (end: () => Promise<unknown>) => ends.push(end) }
  service = await startTestService(t as never, await sqliteDatabases.open(t as never), {
    settings: { ssoTargets: 'any', appRateBurst: 1000 },
  })
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  names = { localhost: service.url.replace('127.0.0.1', 'localhost'), ipv4: service.url }
  service.parts.addresses.base = () => base
  const owner = await personWith(service, 'owner', 'Maya')
  const callbackUrls: string[] = []
  for (base of Object.values(names)) callbackUrls.push((await owner.call('readSso')).body.callbackUrl)
  provider = await startIdentityProvider(t as never, callbackUrls)
  provider.person = { sub: 'asha', name: 'Asha Rao', email: 'asha@shop.example', groups: ['fraud'] }
  await configure(owner, provider.issuer)
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})

const here = (page: TestPage) => page.evaluate(() => location.pathname + location.search, undefined)

const signedInAs = (page: TestPage) =>
  page.evaluate(async () => {
    const me = (await (await fetch('/admin/v1/me')).json()) as { person: { name: string } }
    return me.person.name
  }, undefined)

inEachBrowser((test) => {
  const signsIn = async (page: TestPage, origin: string) => {
    provider.person = { ...provider.person, groups: ['fraud'] }
    await page.goto(`${origin}/console/lists`)
    await shows(page, 'Continue with Shop SSO')
    await click(page, '.entry button', 'Continue with Shop SSO')
    await shows(page, 'No lists yet')
    assert.equal(await here(page), '/console/lists')
    assert.equal(await page.evaluate(() => location.origin, undefined), origin)
    assert.equal(await signedInAs(page), 'Asha Rao')
  }

  for (const opened of ['localhost', 'ipv4'] as const) {
    for (const returned of ['localhost', 'ipv4'] as const) {
      test(`signs in from ${opened} when the provider returns to ${returned}, and comes back to the page that was open`, async (t, browser) => {
        base = names[returned]
        const page = await browser.open(t)
        await signsIn(page, names[opened])
        const complaints = page.complaints.filter((text) => !text.startsWith('Failed to load resource'))
        assert.deepEqual(complaints, [])
      })
    }
  }

  test('says clearly that no group has a role, and keeps the code out of the history', async (t, browser) => {
    provider.person = { ...provider.person, groups: ['other'] }
    const page = await browser.open(t)
    base = names.localhost
    await page.goto(`${base}/console`)
    await shows(page, 'Continue with Shop SSO')
    await click(page, '.entry button', 'Continue with Shop SSO')
    await shows(page, 'none of your groups has a role here')
    assert.match(await here(page), /^\/console\/sso\/callback\/[\w-]+$/)
    await click(page, '.entry a', 'Back to the sign-in page')
    await shows(page, 'Email address')
  })
})
