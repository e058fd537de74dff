// Does the example do what the decisions say, at login and at a payment? With made-up people, over HTTP.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Database } from '@ringfence/server/core/storage/database.ts'
import { outboxChannels } from '@ringfence/server/sign-in/authentication/testing/sign-in-service.ts'
import { eachDatabase } from '@ringfence/server/testing/databases.ts'
import { createApp } from '@ringfence/server/testing/sdk-client.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import { callersOf } from '../../testing/src/tenant.ts'
import { loginServer } from './login-server.ts'

/** A customer of the backend. */
const asha = { number: '917020141726', email: 'asha@example.com' }

/** A person's browser: it has the cookies of the backend. */
async function start(t: TestContext, database: Database) {
  const service = await startTestService(t, database, { edit: (parts) => ({ ...parts, channels: outboxChannels }) })
  service.parts.signIn.outbox.show()
  const app = await createApp(service, { origins: ['http://localhost:*'] })
  const { credentials, url: ringfenceUrl } = service
  const backend = loginServer({ ringfenceUrl, appId: app.id, ...credentials, log: () => undefined }).listen(
    0,
    '127.0.0.1',
  )
  await once(backend, 'listening')
  t.after(() => backend.close())
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
  /** Whoever receives codes at `to` signs in. */
  const tenant = callersOf({ url: ringfenceUrl, appId: app.id, ...credentials })
  const sent = ({ to = asha.number, device }: { to?: string; device?: string } = {}) =>
    tenant
      .page({ ...(device && { device }), automated: device === 'robot' })
      .signIn(to, { report: device !== undefined })
  const newBrowser = () => {
    const cookies = new Map<string, string>()
    return async (path: string, body: object) => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        body: JSON.stringify(body),
      })
      for (const text of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^(\w+)=([^;]*)/.exec(text) ?? []
        cookies.set(name, value)
      }
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
  }
  return { sent, newBrowser, clock: service.clock, service }
}

eachDatabase(({ engine, open }) => {
  test(`a customer on the usual device signs in and pays, once for each order (${engine})`, async (t) => {
    const { sent, newBrowser, service } = await start(t, await open(t))
    const post = newBrowser()
    assert.equal((await post('/payments', { order: 'o-1', amount: 20 })).status, 401)
    const { token, dfrId } = await sent({ device: 'laptop' })
    const signedIn = await post('/login', { token, dfrId })
    assert.deepEqual([signedIn.status, signedIn.body.userId], [200, 'asha'])
    for (let attempt = 0; attempt < 2; attempt++) {
      const paid = await post('/payments', { order: 'o-1', amount: 20, dfrId })
      assert.deepEqual([paid.status, paid.body], [200, { order: 'o-1', paid: 20 }])
    }
    const decided = async () =>
      (await service.post('/v1/events/search', { types: ['decision.created'] })).body.events.length
    assert.equal(await decided(), 2, 'one login and one payment were decided')
    const { dfrId: reloaded } = await sent({ device: 'laptop' })
    assert.equal((await post('/payments', { order: 'o-1', amount: 20, dfrId: reloaded })).status, 200)
    assert.equal(await decided(), 3, 'a page that was loaded again is another request')
  })

  test(`whoever is no customer yet signs up with an id of the backend (${engine})`, async (t) => {
    const { sent, newBrowser } = await start(t, await open(t))
    const signedUp = await newBrowser()('/login', await sent({ to: '917020142001', device: 'phone' }))
    assert.deepEqual([signedUp.status, /^customer-/.test(String(signedUp.body.userId))], [200, true])
    const again = await newBrowser()('/login', await sent({ to: '917020142001', device: 'phone' }))
    assert.deepEqual([again.status, again.body.userId], [200, signedUp.body.userId])
  })

  test(`a new device starts a session only after a second sign-in (${engine})`, async (t) => {
    const { sent, newBrowser, clock } = await start(t, await open(t))
    await newBrowser()('/login', await sent({ device: 'laptop' }))
    clock.advance({ hours: 24 })
    const post = newBrowser()
    const first = await sent({ device: 'new-laptop' })
    clock.advance({ seconds: 1 })
    const asked = await post('/login', first)
    assert.equal(asked.status, 401)
    assert.deepEqual((asked.body.challenge as { identityTypes: string[] }).identityTypes, ['MOBILE', 'EMAIL'])
    assert.equal((await post('/payments', { order: 'o-1', amount: 20 })).status, 401, 'there is no session yet')
    clock.advance({ seconds: 30 })
    const byEmail = await sent({ to: asha.email })
    assert.equal((await newBrowser()('/challenge', byEmail)).status, 401, 'the challenge is of another browser')
    assert.equal((await post('/challenge', { token: first.token })).status, 401, 'the sign-in was before the decision')
    const passed = await post('/challenge', byEmail)
    assert.deepEqual([passed.status, passed.body.userId], [200, 'asha'])
    const { dfrId } = first
    assert.equal((await post('/payments', { order: 'o-1', amount: 20, dfrId })).status, 200)
    assert.equal((await post('/payments', { order: 'o-2', amount: 20 })).status, 401, 'a page that hides its device')
  })

  test(`after a SIM swap only the email address passes, and not on a new device (${engine})`, async (t) => {
    const { sent, newBrowser, clock, service } = await start(t, await open(t))
    assert.equal((await newBrowser()('/login', await sent({ device: 'laptop' }))).status, 200)
    clock.advance({ hours: 24 })
    const latestSimChange = new Date(clock.now() - 3_600_000).toISOString()
    service.sandbox.lines.change(asha.number, { latestSimChange })
    const post = newBrowser()
    const asked = await post('/login', await sent({ device: 'laptop' }))
    assert.equal(asked.status, 401)
    assert.deepEqual((asked.body.challenge as { identityTypes: string[] }).identityTypes, ['EMAIL'])
    clock.advance({ seconds: 30 })
    assert.equal((await post('/challenge', await sent())).status, 401)
    const passed = await post('/challenge', await sent({ to: asha.email }))
    assert.deepEqual([passed.status, passed.body.userId], [200, 'asha'])
    assert.equal((await newBrowser()('/login', await sent({ device: 'thief-laptop' }))).status, 403)
  })

  test(`a bot is refused (${engine})`, async (t) => {
    const { sent, newBrowser } = await start(t, await open(t))
    const bot = await newBrowser()('/login', await sent({ device: 'robot' }))
    assert.equal(bot.status, 403)
    assert.match(String(bot.body.message), /could not confirm this device/)
  })
})
