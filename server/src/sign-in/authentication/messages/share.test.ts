import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { androidPhone } from '../../../device/testdata/phones.ts'
import { eachDatabase, sqliteDatabases, type TestDatabases } from '../../../testing/databases.ts'
import { newInstallationKey } from '../../../testing/installation-key.ts'
import { type SdkClient, sdkClient } from '../../../testing/sdk-client.ts'
import type { TestAnswer } from '../../../testing/test-service.ts'
import { email, mobile, redirectUrl, type SignInOptions, startSignInService } from '../testing/sign-in-service.ts'

const settings = { messagesPerRecipientHour: 3, messagesPerRecipientDay: 6 }

async function serviceWith(t: TestContext, open: TestDatabases['open'], more: SignInOptions = {}) {
  const service = await startSignInService(t, await open(t), { ...more, settings: { ...settings, ...more.settings } })

  /** A browser with its cookies. Each call begins a new session, as a later visit does. */
  function browser() {
    let cookies: string[] = []
    const headers = () => (cookies.length > 0 ? { cookie: cookies.join('; ') } : {})
    const take = (answer: TestAnswer) => {
      for (const sent of answer.headers.getSetCookie()) {
        const pair = sent.split(';', 1)[0]!
        cookies = [pair, ...cookies.filter((one) => one.split('=', 1)[0] !== pair.split('=', 1)[0])]
      }
      return answer
    }
    const visit = () => sdkClient(service, { app: service.app, headers: headers() })
    return {
      cookies: () => cookies,
      visits: visit,
      async starts(changes: object = {}, as?: SdkClient) {
        return service.start(changes, as ?? (await visit()))
      },
      async signsIn(changes: object = {}) {
        const client = await visit()
        const { status, body } = await service.start(changes, client)
        assert.equal(status, 200, JSON.stringify(body))
        const answer = take(await service.verify(body.transactionId, { otp: service.otp() }, client))
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        return answer
      },
    }
  }

  /** Starts by new browsers until the recipient gets no more messages from them. */
  async function strangersUseUp(changes: object = {}) {
    for (let start = 0; start < 10; start++) {
      const { status, body } = await browser().starts(changes)
      if (status === 429) return assert.equal(body.errorCode, '7124')
    }
    assert.fail('strangers are not limited')
  }
  return { ...service, browser, strangersUseUp }
}

eachDatabase(({ engine, open }) => {
  test(`strangers cannot use up the messages of a person's own browser, in an hour or in a day (${engine})`, async (t) => {
    const { browser, strangersUseUp, clock } = await serviceWith(t, open)
    const own = browser()
    await own.signsIn()
    await own.signsIn({ identity: email })
    for (let hour = 0; hour < 3; hour++) {
      clock.advance({ hours: 1 })
      await strangersUseUp()
      await strangersUseUp({ identity: email })
      await own.signsIn()
      await own.signsIn({ identity: email })
    }
  })

  test(`a browser that signed in before is limited too, and only for its own identities (${engine})`, async (t) => {
    const { browser, strangersUseUp } = await serviceWith(t, open)
    const other = browser()
    await other.signsIn({ identity: email })
    await strangersUseUp()
    assert.equal((await other.starts()).status, 429, 'it signed in as somebody else')
    await other.signsIn({ identity: email })
    const statuses: number[] = []
    for (let start = 0; start < 5; start++) statuses.push((await other.starts({ identity: email })).status)
    assert.deepEqual(statuses, [200, 200, 429, 429, 429])
  })

  test(`strangers cannot use up the messages that a backend orders (${engine})`, async (t) => {
    const { strangersUseUp, post, url, credentials } = await serviceWith(t, open)
    await strangersUseUp()
    const ordered = await post('/auth/otp/v1/send', { phoneNumber: mobile.value, orderId: 'o-1' })
    assert.equal(ordered.status, 200, JSON.stringify(ordered.body))
    const query = new URLSearchParams({ mobile_number: mobile.value, channel: 'SMS', redirect_uri: redirectUrl })
    const headers = { clientId: credentials.clientId, clientSecret: credentials.clientSecret }
    const link = await fetch(`${url}/auth/v1/authorize?${query}`, { headers })
    assert.equal(link.status, 200, await link.text())
  })

  test(`an app that signed in before is known by its key, without a cookie (${engine})`, async (t) => {
    const service = await serviceWith(t, open)
    const key = newInstallationKey()
    const visit = async (withKey = key) => {
      service.clock.advance({ seconds: 660 })
      const client = await sdkClient(service, { app: service.app, platform: 'ANDROID', key: withKey })
      await client.analyse(androidPhone().facts)
      return client
    }
    const first = await visit()
    const { body } = await service.start({ deviceFingerprintMode: 'SYNC' }, first)
    assert.equal((await service.verify(body.transactionId, { otp: service.otp() }, first)).status, 200)
    await service.strangersUseUp()
    const refused = async () =>
      /messages_refused_total\{limit="recipient"\} (\d+)/.exec((await service.parts.metrics.text()).body)?.[1]
    assert.equal(await refused(), '1')
    assert.equal((await service.start({}, await visit(newInstallationKey()))).status, 429, 'another phone')
    assert.equal(await refused(), '2')
    assert.equal((await service.start({}, await visit())).status, 200)
    assert.equal(await refused(), '2', 'nothing was refused')
  })
})

const { open } = sqliteDatabases

test('a resend uses up the share of the browser that asks for it', async (t) => {
  const { browser, strangersUseUp, clock, resend } = await serviceWith(t, open)
  const own = browser()
  await own.signsIn()
  const client = await own.visits()
  const { body } = await own.starts({}, client)
  await strangersUseUp()
  const statuses: number[] = []
  for (let again = 0; again < 3; again++) {
    clock.advance({ seconds: 31 })
    statuses.push((await resend(body.transactionId, client)).status)
  }
  assert.deepEqual(statuses, [200, 200, 429])
})

test('a cookie that was made up, cut or copied to another tenant or identity is a stranger’s', async (t) => {
  const service = await serviceWith(t, open)
  const own = service.browser()
  await own.signsIn({ identity: email })
  await service.strangersUseUp({ identity: email })
  const [cookie] = own.cookies()
  const [name, value] = cookie!.split('=') as [string, string]
  const from = async (sent: string) =>
    (
      await service.start(
        { identity: email },
        await sdkClient(service, { app: service.app, headers: { cookie: sent } }),
      )
    ).status
  assert.match(value, /^[\w-]{22}$/)
  // In lower case alone it could be the same value.
  const swapped = value.replace(/[a-z]/gi, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase()))
  for (const forged of ['', 'x', value.slice(1), `${value}A`, swapped, 'A'.repeat(22), '.'.repeat(5000)])
    assert.equal(await from(`${name}=${forged}`), 429, forged)
  assert.equal(await from(`${name}2=${value}`), 429)
  assert.equal(await from(`a=b; ${name}=${'A'.repeat(22)}.${value}; c=d`), 200)
})

test('a shared computer remembers its latest five identities', async (t) => {
  const { browser, strangersUseUp } = await serviceWith(t, open)
  const shared = browser()
  const people = Array.from({ length: 6 }, (_, at) => ({ type: 'EMAIL', value: `person-${at}@shop.example` }))
  for (const identity of people) await shared.signsIn({ identity })
  for (const identity of [people[0]!, people[1]!]) await strangersUseUp({ identity })
  assert.deepEqual(
    [(await shared.starts({ identity: people[0] })).status, (await shared.starts({ identity: people[1] })).status],
    [429, 200],
  )
})

test('a browser is known for 45 days at least and 90 at most, since numbers get new owners', async (t) => {
  const { browser, strangersUseUp, clock } = await serviceWith(t, open)
  const own = browser()
  await own.signsIn()
  clock.advance({ hours: 44 * 24 })
  await strangersUseUp()
  await own.signsIn()
  clock.advance({ hours: 91 * 24 })
  await strangersUseUp()
  assert.equal((await own.starts()).status, 429)
})
