import assert from 'node:assert/strict'
import { invite } from '@ringfence/server/admin/people/invitation.ts'
import { codeOf } from '@ringfence/server/admin/people/totp.ts'
import { inEachBrowser } from '../../browser/src/testing/browser-tests.ts'
import { click, fromBase32, shows, type } from './testing/in-the-page.ts'
import { serviceOfFile } from './testing/service-of-file.ts'

declare const document: { querySelector(selector: string): object | null }
declare const location: { readonly pathname: string }

const service = serviceOfFile()

inEachBrowser((test) => {
  test('leads from a one-time link to a decision, which is labelled', async (t, browser) => {
    const { parts: needs, tenantId, clock } = service()
    const expiresAt = clock.now() + 3_600_000
    const link = await invite(needs.database, { tenantId, role: 'owner', expiresAt }, needs.keyring)
    const page = await browser.open(t)
    // The service runs at localhost, where browsers accept secure cookies without TLS.
    await page.goto(`${service().url.replace('127.0.0.1', 'localhost')}/console/welcome#${link}`)
    await shows(page, 'You become owner of test')
    const secret = await page.evaluate(
      () => (document.querySelector('.second-factor .copy code') as unknown as { textContent: string }).textContent,
      undefined,
    )
    await type(page, 'input[autocomplete=name]', 'Maya Rao')
    await type(page, 'input[type=email]', `maya@${browser.name.toLowerCase()}.example`)
    await type(page, 'input[type=password]', 'a long sentence for the shop')
    await type(page, 'input[autocomplete=one-time-code]', codeOf(fromBase32(secret), Math.floor(clock.now() / 30_000)))
    await click(page, 'button[type=submit]')
    await shows(page, 'Recovery codes')
    await click(page, '.entry-card > .button.primary')
    // The first person of a tenant without decisions gets the first steps.
    await page.isAt('/console/start')
    // Firefox gives up a navigation that begins while the page before is still coming.
    await shows(page, 'Four steps to the first decision')
    await page.goto(`${service().url.replace('127.0.0.1', 'localhost')}/console/live`)
    await shows(page, 'Watching')

    const { body } = await service().post('/v1/decisions', {
      action: 'PAYMENT',
      userId: `user-of-${browser.name}`,
      phoneNumber: '917020140110',
    })
    await shows(page, `user-of-${browser.name}`)
    await click(page, `.event-what a[href$="${body.decisionId}"]`)
    await shows(page, 'The SIM of this number was replaced')
    assert.equal(await page.evaluate(() => location.pathname, undefined), `/console/decisions/${body.decisionId}`)
    await click(page, '.page-actions button.primary')
    await shows(page, 'How did it turn out?')
    await click(page, '[role=menuitem][data-key=fraud]')
    await shows(page, 'Labelled: Fraud')

    // A code works once. Apps show it in two groups.
    clock.advance({ seconds: 30 })
    const code = codeOf(fromBase32(secret), Math.floor(clock.now() / 30_000))
    const later = await browser.open(t)
    await later.goto(`${service().url.replace('127.0.0.1', 'localhost')}/console/live`)
    await shows(later, 'Sign in to')
    await type(later, 'input[type=email]', `maya@${browser.name.toLowerCase()}.example`)
    await type(later, 'input[type=password]', 'a long sentence for the shop')
    await click(later, 'button[type=submit]')
    await shows(later, 'Second factor')
    await type(later, 'input[autocomplete=one-time-code]', `${code.slice(0, 3)} ${code.slice(3)}`)
    await click(later, 'button[type=submit]')
    await shows(later, 'Watching')
  })
})
