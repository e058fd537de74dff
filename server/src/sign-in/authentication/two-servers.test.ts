// Do the promises of a sign-in hold when two servers share one database?

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import type { Settings } from '../../core/config/settings.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import { atEnd, type Ending } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { type SdkClient, sdkClientOf } from '../../testing/sdk-client.ts'
import {
  codeVerifier,
  pressButton,
  redirectUrl,
  type SignInService,
  startSignInService,
} from './testing/sign-in-service.ts'

const gated = { gate: { deadlineMs: 10_000, simSwap: { onFound: 'record' } } }

/** Two servers, and one session per server, all for the first server's app. */
async function twoServers(
  t: Ending,
  at: string,
  more: Partial<Settings> = {},
  app: object = {},
): Promise<{ servers: SignInService[]; clients: SdkClient[] }> {
  const settings = {
    ...more,
    masterKey: randomBytes(32).toString('base64'),
    overloadDelayMs: 60_000,
    appRateBurst: 1000,
  }
  const servers: SignInService[] = []
  for (let server = 0; server < 2; server++) {
    const database = await openDatabase(at)
    atEnd(t, () => database.close())
    servers.push(await startSignInService(t, database, { settings, app }))
  }
  const clients = await Promise.all(servers.map((server) => sdkClientOf(servers[0]!.app, server)))
  return { servers, clients }
}

const messagesOf = (servers: readonly SignInService[]) =>
  servers.reduce((sum, { parts: needs }) => sum + needs.signIn.outbox.messages().length, 0)

/** The session of a client at another server, as behind a load balancer. */
const through = ({ post }: SignInService, client: SdkClient): SdkClient => ({
  ...client,
  post: (path, body, headers) => post(path, body, { ...client.headers, ...headers }),
})

eachDatabase(({ engine, place }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('one of several simultaneous verifies of one OTP wins, on two servers'), async (t) => {
    const { servers, clients } = await twoServers(t, await place(t))
    for (let round = 0; round < 10; round++) {
      const identity = { type: 'EMAIL', value: `person-${round}@shop.example` }
      const { transactionId } = (await servers[0]!.start({ identity }, clients[0])).body
      const otp = servers[0]!.otp()
      const answers = await Promise.all([0, 1, 0, 1].map((i) => servers[i]!.verify(transactionId, { otp }, clients[i])))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
    }
  })

  test(it('two simultaneous first sign-ins of one identity, on two servers, are one user'), async (t) => {
    const { servers, clients } = await twoServers(t, await place(t))
    for (let round = 0; round < 5; round++) {
      const identity = { type: 'EMAIL', value: `person-${round}@shop.example` }
      const started = []
      for (const i of [0, 1]) {
        const { transactionId } = (await servers[i]!.start({ identity }, clients[i])).body
        started.push({ transactionId, otp: servers[i]!.otp() })
      }
      const answers = await Promise.all(
        started.map(({ transactionId, otp }, i) => servers[i]!.verify(transactionId, { otp }, clients[i])),
      )
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      assert.equal(answers[0]!.body.userId, answers[1]!.body.userId)
    }
  })

  for (const [way, app, number] of [
    ['without a telecom gate', {}, '91702014170'],
    ['after the telecom gate', gated, '91702014172'],
  ] as const) {
    test(it(`ten simultaneous equal starts ${way}, on two servers, are one sign-in with one message`), async (t) => {
      const limits = { messagesPerRecipientHour: 1, newNumbersPerRangeHour: 100 }
      const { servers, clients } = await twoServers(t, await place(t), limits, app)
      for (let round = 0; round < 5; round++) {
        const identity = { type: 'MOBILE', value: `${number}${round}` }
        const sentBefore = messagesOf(servers)
        // The same session, as a client repeats it: a load balancer sends some to the other server.
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, i) =>
            servers[i % 2]!.start({ identity }, through(servers[i % 2]!, clients[0]!)),
          ),
        )
        assert.deepEqual(
          answers.map(({ status }) => status),
          Array(10).fill(200),
        )
        assert.equal(new Set(answers.map(({ body }) => body.transactionId)).size, 1)
        assert.equal(messagesOf(servers) - sentBefore, 1)
      }
      const claims = await servers[0]!.parts.database.query('select start_hash from start_claim')
      assert.deepEqual(claims, [])
    })
  }

  test(it('simultaneous starts of many sessions, on two servers, send no message more than the limit'), async (t) => {
    const { servers } = await twoServers(t, await place(t), { messagesPerRecipientHour: 3 })
    const { database } = servers[0]!.parts
    const sessions = await Promise.all(
      Array.from({ length: 12 }, (_, i) => sdkClientOf(servers[0]!.app, servers[i % 2]!)),
    )
    const answers = await Promise.all(sessions.map((session, i) => servers[i % 2]!.start({}, session)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(3).fill(200), ...Array(9).fill(429)])
    assert.equal(messagesOf(servers), 3)
    const stored = await database.query<{ sent: number }>('select sent from sign_in')
    assert.deepEqual(
      stored.map(({ sent }) => sent),
      [1, 1, 1],
      'a refused start stores no sign-in',
    )
    const counts = await database.query<{ count: number }>('select count from message_count')
    assert.deepEqual([...new Set(counts.map(({ count }) => count))], [3], 'a refused start counts nowhere')
  })

  test(it('a gated start that died with its server may run again after the claim has expired'), async (t) => {
    const { servers } = await twoServers(t, await place(t), {}, gated)
    const { parts: needs, clock, start } = servers[0]!
    const { transactionId } = (await start()).body
    const [row] = await needs.database.query<{ hash: Uint8Array }>('select start_hash as hash from sign_in')
    await needs.database.query('delete from sign_in')
    await needs.database.query('insert into start_claim (start_hash, claimed_until) values ($1, $2)', [
      row!.hash,
      clock.now() + 60_000,
    ])
    let isOver = false
    const waiting = start().finally(() => {
      isOver = true
    })
    await delay(200)
    assert.equal(isOver, false)
    clock.advance({ seconds: 61 })
    const again = await waiting
    assert.equal(again.status, 200)
    assert.notEqual(again.body.transactionId, transactionId)
  })

  test(it('accepts a code once, from an SDK or a backend, on two servers'), async (t) => {
    const { servers, clients } = await twoServers(t, await place(t))
    for (let round = 0; round < 5; round++) {
      const identity = { type: 'EMAIL', value: `person-${round}@shop.example` }
      const { transactionId } = (await servers[0]!.start({ channel: 'MAGIC_LINK', identity, redirectUrl }, clients[0]))
        .body
      const { response } = await pressButton(servers[0]!.link())
      const code = new URL(response.headers.get('location')!).searchParams.get('ringfence_code')!
      const { clientId, clientSecret } = servers[0]!.credentials
      const exchange = (i: number) =>
        fetch(servers[i]!.url + endpoints.exchangeCode.path, {
          method: 'POST',
          body: new URLSearchParams({
            code,
            client_id: clientId,
            client_secret: clientSecret,
            code_verifier: codeVerifier,
          }),
        })
      const answers = await Promise.all([
        exchange(0),
        exchange(1),
        ...[0, 1].map((i) => servers[i]!.verify(transactionId, { code }, clients[i])),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
    }
  })
})
