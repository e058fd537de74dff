// Do the promises of a sign-in hold when two servers share one database?

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { Settings } from '../../core/config/settings.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import type { Ending } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { type SdkClient, sdkClientOf } from '../../testing/sdk-client.ts'
import {
  outboxChannels,
  pressButton,
  redirectUrl,
  type SignInService,
  startSignInService,
} from './testing/sign-in-service.ts'

/** Two servers, and one session per server, all for the first server's app. */
async function twoServers(
  t: Ending,
  at: string,
  more: Partial<Settings> = {},
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
    t.after(() => database.close())
    servers.push(await startSignInService(t, database, { settings, channels: outboxChannels }))
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

  test(it('ten simultaneous equal starts, on two servers, are one sign-in with one message'), async (t) => {
    const { servers, clients } = await twoServers(t, await place(t), { messagesPerRecipientHour: 3 })
    for (let round = 0; round < 5; round++) {
      const identity = { type: 'EMAIL', value: `person-${round}@shop.example` }
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

  test(it('a start that died with its server may run again after the claim has expired'), async (t) => {
    const { servers } = await twoServers(t, await place(t))
    const { parts: needs, clock, start } = servers[0]!
    const { transactionId } = (await start()).body
    const [row] = await needs.database.query<{ hash: Uint8Array }>('select start_hash as hash from sign_in')
    await needs.database.query('delete from sign_in')
    await needs.database.query('insert into start_claim (start_hash, claimed_until) values ($1, $2)', [
      row!.hash,
      clock.now() + 60_000,
    ])
    const waiting = start()
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
          body: new URLSearchParams({ code, client_id: clientId, client_secret: clientSecret }),
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
