// Do the promises of a decision hold when two servers share one database, and their clocks differ?

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import type { Settings } from '../core/config/settings.ts'
import { openDatabase } from '../core/storage/open-database.ts'
import { ruleSetOf } from '../rules/rule-set.ts'
import { login, tokenCalls } from '../sign-in/tokens/testing.ts'
import { atEnd, type Ending } from '../testing/at-end.ts'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService, type TestAnswer, type TestService } from '../testing/test-service.ts'
import { type Interception, intercepted } from './testing.ts'

const rules = ruleSetOf({
  velocity: { attempts: { count: 'decisions', per: 'user', within: '1h' } },
  rules: [{ id: 'ask', name: 'Ask', when: 'action == "PAYMENT"', action: 'CHALLENGE', score: 10 }],
})

/** Two servers, called with the client of the first. */
async function twoServers(t: Ending, at: string, more: Partial<Settings> = {}, ofFirst: Interception = {}) {
  const settings = { ...more, masterKey: randomBytes(32).toString('base64') }
  const servers: TestService[] = []
  for (let server = 0; server < 2; server++) {
    const database = await openDatabase(at)
    atEnd(t, () => database.close())
    servers.push(await startTestService(t, server === 0 ? intercepted(database, ofFirst) : database, { settings }))
  }
  const [first, second] = servers as [TestService, TestService]
  const { parts: needs, tenantId, credentials } = first
  const version = await needs.rules.draft(tenantId, rules, { by: 'test' })
  await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
  for (const { clock } of servers) clock.advance({ seconds: 2 })
  const post = (server: number, path: string, body: object, headers = {}): Promise<TestAnswer> =>
    servers[server % 2]!.post(path, body, { ...credentials, ...headers })
  return {
    ...{ first, second, post, issue: tokenCalls(first).issue },
    decide: (server: number, body: object, headers = {}) => post(server, endpoints.decide.path, body, headers),
    pass: (server: number, decisionId: string, token: string) =>
      post(server, endpoints.passChallenge.path.replace('{decisionId}', decisionId), { token }),
    async events(type: string) {
      const { body } = await post(0, endpoints.searchEvents.path, { types: [type], limit: 100 })
      return body.events.length as number
    },
  }
}

eachDatabase(({ engine, place }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('equal requests with one Idempotency-Key are one decision, counted and recorded once'), async (t) => {
    const { first, decide, events } = await twoServers(t, await place(t))
    for (let round = 0; round < 5; round++) {
      const body = { userId: 'u', params: { round } }
      const key = { 'idempotency-key': `order-${round}` }
      const answers = await Promise.all([0, 1, 0, 1, 0, 1].map((server) => decide(server, body, key)))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.equal(new Set(answers.map(({ body: { decisionId } }) => decisionId)).size, 1)
      const others = await Promise.all([0, 1].map((server) => decide(server, { ...body, params: {} }, key)))
      assert.deepEqual(
        others.map(({ status }) => status),
        [409, 409],
      )
      assert.equal(await events('decision.created'), round + 1)
    }
    const { parts: needs, tenantId } = first
    const { live } = await needs.rules.current(tenantId)
    assert.equal(live.velocities.length, 1)
    const version = await needs.rules.draft(
      tenantId,
      ruleSetOf({
        velocity: { attempts: { count: 'decisions', per: 'user', within: '1h' } },
        rules: [{ id: 'six', name: 'Six', when: 'velocity.attempts == 6', action: 'WARN', score: 1 }],
      }),
      { by: 'test' },
    )
    await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
    first.clock.advance({ seconds: 2 })
    assert.deepEqual((await decide(0, { userId: 'u' })).body.rules.fired, ['six'])
  })

  test(it('a challenge is passed once, and a token passes one of two challenges'), async (t) => {
    const { first, second, decide, pass, issue, events } = await twoServers(t, await place(t))
    for (let round = 1; round <= 5; round++) {
      const body = { action: 'PAYMENT', userId: login.userId, email: 'u@shop.example', phoneNumber: '917020141726' }
      const decisions = await Promise.all([0, 1].map((server) => decide(server, body)))
      const ids = decisions.map((answer) => (answer.body as Decision).decisionId)
      for (const { clock } of [first, second]) clock.advance({ seconds: 1 })
      const token = await issue()
      const answers = await Promise.all([0, 1, 2, 3].map((call) => pass(call, ids[call >> 1]!, token)))
      const passed = new Set(answers.flatMap(({ status }, call) => (status === 200 ? ids[call >> 1]! : [])))
      assert.equal(passed.size, 1)
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 400, 400])
      assert.equal(await events('decision.challenge.passed'), round)
    }
  })

  test(
    it('a sign-in at a server whose clock is behind passes, and one from before the decision does not'),
    async (t) => {
      const { first, second, decide, pass, issue, post } = await twoServers(t, await place(t))
      const old = await issue()
      second.clock.advance({ seconds: -3 })
      first.clock.advance({ seconds: 5 })
      const { decisionId } = (
        await decide(0, {
          action: 'PAYMENT',
          userId: login.userId,
          email: 'u@shop.example',
          phoneNumber: '917020141726',
        })
      ).body
      assert.equal((await pass(1, decisionId, old)).status, 400)
      for (const { clock } of [first, second]) clock.advance({ seconds: 20 })
      const { token } = (await post(1, endpoints.issueToken.path, login)).body
      const answer = await pass(1, decisionId, token)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assert.equal((await pass(0, decisionId, token)).status, 200)
    },
  )

  test(
    it('a token that is accepted once serves one decision, also when its request is repeated at the same time'),
    async (t) => {
      const { decide, pass, issue, first, second } = await twoServers(t, await place(t), { tokenUses: 'once' })
      const withLogin = (answers: TestAnswer[]) => answers.filter(({ body }) => body.login !== undefined).length
      for (let round = 0; round < 8; round++) {
        const token = await issue()
        const key = { 'idempotency-key': `order-${round}` }
        const same = await Promise.all(
          [0, 1, 0, 1].map((server) => decide(server, { userId: login.userId, token }, key)),
        )
        assert.deepEqual([withLogin(same), new Set(same.map(({ body }) => body.decisionId)).size], [4, 1])
        assert.equal(withLogin([await decide(1, { userId: login.userId, token })]), 0, 'it is used up')

        const another = await issue()
        const different = await Promise.all(
          [0, 1, 0, 1].map((server) => decide(server, { userId: login.userId, token: another })),
        )
        assert.deepEqual(
          different.map(({ status }) => status),
          [200, 200, 200, 200],
        )
        assert.equal(withLogin(different), 1)

        const { decisionId } = (
          await decide(0, {
            action: 'PAYMENT',
            userId: login.userId,
            email: 'u@shop.example',
            phoneNumber: '917020141726',
          })
        ).body
        for (const { clock } of [first, second]) clock.advance({ seconds: 1 })
        const signIn = await issue()
        const passed = await Promise.all([0, 1, 0, 1].map((server) => pass(server, decisionId, signIn)))
        assert.deepEqual(
          passed.map(({ status }) => status),
          [200, 200, 200, 200],
        )
        assert.equal(withLogin([await decide(1, { userId: login.userId, token: signIn })]), 0, 'it is used up')
      }
    },
  )

  test(
    it('a request gets the first decision also when its token and then its key were used while it was written'),
    async (t) => {
      const interception: Interception = {}
      const { decide, issue } = await twoServers(t, await place(t), { tokenUses: 'once' }, interception)
      const token = await issue()
      const body = { userId: login.userId, token }
      const key = { 'idempotency-key': 'order-1' }
      const meanwhile: TestAnswer[] = []
      interception.batch = async (texts) => {
        if (!texts.some((sql) => /into decision\b/.test(sql)) || meanwhile.length === 2) return
        meanwhile.push(await decide(1, body, meanwhile.length === 0 ? {} : key))
      }
      const answer = await decide(0, body, key)
      assert.deepEqual([answer.status, meanwhile.length], [200, 2], JSON.stringify(answer.body))
      assert.deepEqual(answer.body, meanwhile[1]!.body)
      assert.deepEqual([answer.body.missing, meanwhile[0]!.body.missing], [[{ what: 'login', why: 'unknown' }], []])
    },
  )
})
