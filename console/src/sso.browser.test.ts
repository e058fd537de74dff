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
declare const location: { readonly pathname: string; readonly search: string }

let service: TestService
let provider: IdentityProvider
let origin: string
const ends: (() => Promise<unknown>)[] = []
before(async () => {
  const t = { after: (end: () => Promise<unknown>) => ends.push(end) }
  service = await startTestService(t as never, await sqliteDatabases.open(t as never), {
    settings: { ssoTargets: 'any' },
  })
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  // Browsers accept secure cookies without TLS from localhost, so the provider has to return people there.
  origin = service.url.replace('127.0.0.1', 'localhost')
  service.parts.addresses.base = () => origin
  const owner = await personWith(service, 'owner', 'Maya')
  provider = await startIdentityProvider(t as never, [(await owner.call('readSso')).body.callbackUrl])
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
  test('signs in with the identity provider, and comes back to the page that was open', async (t, browser) => {
    provider.person = { ...provider.person, groups: ['fraud'] }
    const page = await browser.open(t)
    await page.goto(`${origin}/console/lists`)
    await shows(page, 'Continue with Shop SSO')
    await click(page, '.entry button', 'Continue with Shop SSO')
    await shows(page, 'No lists yet')
    assert.equal(await here(page), '/console/lists')
    assert.equal(await signedInAs(page), 'Asha Rao')
    const complaints = page.complaints.filter((text) => !text.startsWith('Failed to load resource'))
    assert.deepEqual(complaints, [])
  })

  test('says clearly that no group has a role, and keeps the code out of the history', async (t, browser) => {
    provider.person = { ...provider.person, groups: ['other'] }
    const page = await browser.open(t)
    await page.goto(`${origin}/console`)
    await shows(page, 'Continue with Shop SSO')
    await click(page, '.entry button', 'Continue with Shop SSO')
    await shows(page, 'none of your groups has a role here')
    assert.match(await here(page), /^\/console\/sso\/callback\/[\w-]+$/)
    await click(page, '.entry a', 'Back to the sign-in page')
    await shows(page, 'Email address')
  })
})
