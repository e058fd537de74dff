// Is a number checked only for a purpose that its tenant allows, at every door; and is an answer used only for the purpose of its call?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type Consent, endpoints, legalBases } from '@ringfence/contract'
import { startSandbox } from '@ringfence/sandbox'
import { exportSubject } from '../../admin/privacy/export.ts'
import { adminClient } from '../../admin/testing.ts'
import type { ConsentSettings } from '../../core/config/consent-settings.ts'
import { contextOf } from '../../events/sealed-event.ts'
import { startSignInService } from '../../sign-in/authentication/testing/sign-in-service.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { watchPoller } from '../watching/poller.ts'
import { purposes } from './purposes.ts'

const number = '917020141726'
const swapped = '61491570110'
const fraud: Consent = { purpose: 'dpv:FraudPreventionAndDetection', legalBasis: 'LEGITIMATE_INTERESTS' }
const identity: Consent = { purpose: 'dpv:IdentityVerification', legalBasis: 'CONSENT', reference: 'c-1' }
const required: ConsentSettings = { required: ['purpose', 'legalBasis'] }

const edit = (consent: ConsentSettings) => (parts: object) => ({ ...parts, consent }) as never

/** The calls about numbers that reached the operator since the last look. */
function callsOf({ sandbox }: TestService): string[] {
  const calls = sandbox.calls.last(1000).map(({ path }) => path)
  sandbox.calls.clear()
  return calls.filter((path) => !path.startsWith('/oauth2') && !path.startsWith('/sandbox'))
}

async function eventsOf({ parts: needs, tenantId }: TestService) {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const rows = await needs.database.query<{ id: Uint8Array; sealed: Uint8Array }>(
    "select id, sealed from event where type = 'telecom.check.completed' order by id",
  )
  return rows.map(({ id, sealed }) => JSON.parse(keys.open(sealed, contextOf(id))))
}

async function recordEvents({ parts: needs, tenantId, clock }: TestService): Promise<void> {
  await needs.database.query(
    `insert into event_receiver (tenant_id, id, types, state, sealed, created_at)
     values ($1, 'r', 'telecom.*', 'paused', $2, 0)`,
    [tenantId, new Uint8Array(0)],
  )
  clock.advance({ seconds: 1 })
}

const { telecomChecks, simSwapCheck, callForwardingCheck, portability, decide, watchNumber } = endpoints

/** Every call of a backend that leads to a check. */
const doors: Readonly<Record<string, object>> = {
  [simSwapCheck.path]: { phoneNumber: number },
  [callForwardingCheck.path]: { phoneNumber: number },
  [portability.path]: { phoneNumber: number },
  [telecomChecks.path]: {
    phoneNumber: number,
    checks: { simSwap: {}, portability: {}, tenure: { since: '2020-01-01' } },
  },
  [decide.path]: { phoneNumber: number, checks: ['simSwap'] },
  [watchNumber.path]: { phoneNumber: number, checks: ['simSwap'] },
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('what a call states is stored with its answer and in its event, and the person gets it'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { simSwapReuseSeconds: 3600 } })
    await recordEvents(service)
    const { status } = await service.post(simSwapCheck.path, { phoneNumber: number, consent: identity })
    assert.equal(status, 200)
    assert.deepEqual(
      (await eventsOf(service)).map(({ consent }) => consent),
      [identity],
    )
    const answers = async () => {
      const found: Record<string, unknown>[] = []
      const subject = { kind: 'phoneNumber', value: number } as const
      for await (const { kind, record } of exportSubject(service.tenantId, subject, service.parts)) {
        if (kind === 'telecomAnswer') found.push(record)
      }
      return found.filter(({ consent }) => consent !== undefined)
    }
    const [exported] = await until(answers, ({ length }) => length > 0)
    assert.deepEqual(exported?.consent, identity)
    assert.deepEqual(Object.keys(exported?.answer as object).includes('consent'), false)
    const asked = await adminClient(service, 'viewer')
    const shown = (await asked('readNumber', { phoneNumber: number })).body.answers
    assert.deepEqual(
      shown.map(({ check, from, consent }: Record<string, unknown>) => [check, from, consent]),
      [['simSwap', 'sandbox', identity]],
    )
  })

  test(it('without the consent that a tenant requires, no door leads to a check'), async (t) => {
    const service = await startTestService(t, await open(t), { edit: edit(required) })
    await recordEvents(service)
    const attempts = [undefined, { purpose: fraud.purpose }, { purpose: fraud.purpose, reference: 'r' }]
    for (const [path, body] of Object.entries(doors)) {
      for (const consent of attempts) {
        const { status, body: answer } = await service.post(path, { ...body, ...(consent && { consent }) })
        assert.deepEqual([path, status, answer.errorCode], [path, 400, 'P7371'])
        assert.match(
          answer.description,
          consent ? /requires consent\.legalBasis, for example/ : /consent\.purpose, consent/,
        )
      }
    }
    const byToken = await service.post(decide.path, { token: 'not-a-token', userId: 'u' })
    assert.deepEqual([byToken.status, byToken.body.errorCode], [400, 'P7371'], 'the sign-in may have a number')
    assert.deepEqual(callsOf(service), [])
    assert.deepEqual(await eventsOf(service), [], 'a refused call is no check')
    assert.deepEqual(await service.parts.database.query('select 1 as one from number_watch'), [])

    for (const [path, body] of Object.entries(doors)) {
      assert.equal((await service.post(path, { ...body, consent: fraud })).status, 200, path)
      assert.ok(path === watchNumber.path || callsOf(service).length > 0, path)
    }
    const decision = await service.post(decide.path, { phoneNumber: number, consent: fraud })
    assert.deepEqual(decision.body.consent, fraud)
    const withoutNumber = await service.post(decide.path, { ip: '192.0.2.1' })
    assert.equal(withoutNumber.status, 200, 'it checks no number')
  })

  test(it('an answer is not reused for another purpose or legal basis, and is for the same'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { simSwapReuseSeconds: 3600 } })
    const ask = async (consent?: Consent) => {
      const { headers } = await service.post(simSwapCheck.path, { phoneNumber: number, ...(consent && { consent }) })
      return [callsOf(service).filter((path) => path.startsWith('/sim-swap')).length, headers.has('age')]
    }
    const isNew = [1, false]
    const isReused = (seen: unknown) => isDeepStrictEqual(seen, [0, true])
    assert.deepEqual(await ask(fraud), isNew)
    await until(() => ask({ ...fraud, reference: 'another' }), isReused)
    assert.deepEqual(await ask(identity), isNew)
    assert.deepEqual(await ask({ ...identity, legalBasis: 'CONTRACT' }), isNew)
    assert.deepEqual(await ask(), isNew)
    await until(() => ask(identity), isReused)
  })

  test(
    it('rules of a decision read only what was obtained for its purpose, where the tenant requires one'),
    async (t) => {
      const settings = { simSwapReuseSeconds: 3600 }
      const service = await startTestService(t, await open(t), { settings, edit: edit(required) })
      await service.post(simSwapCheck.path, { phoneNumber: swapped, consent: fraud })
      const swapIn = async (consent: Consent) => {
        // No time for an operator, and stored answers are read anyway.
        service.sandbox.faults.switchOn({ kind: 'status', status: 500, route: '/sim-swap/v2/check' })
        const { body } = await service.post(decide.path, { phoneNumber: swapped, consent })
        return body.phone?.simSwap?.swapped
      }
      await until(() => swapIn(fraud))
      assert.equal(await swapIn(identity), undefined)
    },
  )

  test(
    it('polls of a watch state its purpose; one that is older than the rule states nothing and is not made'),
    async (t) => {
      const database = await open(t)
      const before = await startTestService(t, database)
      await before.post(watchNumber.path, { phoneNumber: swapped, checks: ['simSwap'] })
      const { status, body } = await before.post(watchNumber.path, {
        phoneNumber: number,
        checks: ['simSwap'],
        consent: fraud,
      })
      assert.deepEqual([status, body.consent], [200, fraud])
      before.clock.advance({ seconds: 301 })
      const { parts: needs } = before
      Object.assign(needs.telecom.purposes, purposes(required))
      const poller = watchPoller(needs)
      t.after(() => poller.close())
      await poller.round()
      const states = Object.fromEntries(
        (await before.post(`${watchNumber.path}/list`, {})).body.watches.map((watch: never) => {
          const { phoneNumber, checks } = watch as { phoneNumber: string; checks: { state: string }[] }
          return [phoneNumber, checks[0]?.state]
        }),
      )
      assert.deepEqual(states, { [number]: 'watching', [swapped]: 'failing' })
      assert.equal(callsOf(before).filter((path) => path.startsWith('/sim-swap/')).length, 1)
    },
  )

  test(
    it('the gate of sign-ins states the consent of its app, else the automatic one, else makes no check'),
    async (t) => {
      const gate = { simSwap: { onFound: 'refuse', onFailure: 'refuse' } }
      const messages = async (app: object, consent: ConsentSettings) => {
        const service = await startSignInService(t, await open(t), { app: { gate: app }, edit: edit(consent) })
        await recordEvents(service)
        await service.start()
        const stated = (await eventsOf(service)).map((event) => event.consent)
        return { sent: service.parts.signIn.outbox.messages().length, calls: callsOf(service).length > 0, stated }
      }
      assert.deepEqual(await messages(gate, required), { sent: 0, calls: false, stated: [] })
      const automatic = { ...required, automatic: fraud }
      assert.deepEqual(await messages(gate, automatic), { sent: 1, calls: true, stated: [fraud] })
      const own = await messages({ ...gate, consent: { ...identity } }, automatic)
      assert.deepEqual(own, { sent: 1, calls: true, stated: [identity] })
    },
  )
})

const { open } = sqliteDatabases

test('"Check now" of the console states the automatic consent, or says that there is none', async (t) => {
  const check = async (consent: ConsentSettings, fields: object = {}) => {
    const service = await startTestService(t, await open(t), { edit: edit(consent) })
    const asked = await adminClient(service, 'admin')
    const { body } = await asked('checkNumber', { phoneNumber: number, check: 'simSwap', ...fields })
    return [body.result, body.failure, callsOf(service).length > 0, (await eventsOf(service)).map((one) => one.consent)]
  }
  assert.deepEqual(await check(required), ['unknown', 'P7371', false, []])
  assert.deepEqual(await check({ ...required, automatic: fraud }), ['no', undefined, true, [fraud]])
  assert.deepEqual(await check(required, { consent: identity }), ['no', undefined, true, [identity]])
})

test('a call of the CAMARA API states the purpose of its scope, and has the only legal basis of it', async (t) => {
  const { purpose } = fraud
  const rules = {
    ...required,
    purposes: { [purpose]: { legalBases: ['LEGITIMATE_INTERESTS'] } },
  } satisfies ConsentSettings
  const service = await startTestService(t, await open(t), { edit: edit(rules) })
  await recordEvents(service)
  const { clientId, clientSecret } = service.credentials
  const refusals: string[] = []
  const ask = async (scope: string) => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope })
    const granted = await fetch(`${service.url}/camara/oauth2/token`, {
      method: 'POST',
      headers: { authorization },
      body,
    })
    const { access_token: token } = (await granted.json()) as { access_token: string }
    const headers = { authorization: `Bearer ${token}` }
    // A body that states more than CAMARA has does not help.
    const asked = { phoneNumber: `+${number}`, consent: fraud }
    const answer = await service.post('/sim-swap/v2/check', asked, { ...headers, clientId: '', clientSecret: '' })
    if (answer.status === 403) refusals.push(answer.body.message)
    return [answer.status, answer.body.code, callsOf(service).length > 0]
  }
  assert.deepEqual(await ask('sim-swap:check'), [403, 'PERMISSION_DENIED', false])
  assert.match(
    refusals[0]!,
    /requires consent\.purpose.*: request a token with a purpose in its scope, for example "dpv:/,
  )
  assert.deepEqual(await ask('dpv:Marketing sim-swap:check'), [403, 'PERMISSION_DENIED', false])
  assert.deepEqual(await ask(`${purpose} sim-swap:check`), [200, undefined, true])
  assert.deepEqual(
    (await eventsOf(service)).map(({ consent }) => consent),
    [fraud],
  )
})

test('a purpose or legal basis that the tenant does not have is refused, with those that it has', async (t) => {
  const { purpose } = fraud
  const rules = {
    purposes: { [purpose]: { legalBases: ['LEGITIMATE_INTERESTS', 'CONTRACT'] } },
  } satisfies ConsentSettings
  const service = await startTestService(t, await open(t), { edit: edit(rules) })
  const ask = async (consent?: object) => {
    const { status, body } = await service.post(simSwapCheck.path, { phoneNumber: number, ...(consent && { consent }) })
    return [status, body.errorCode, body.description]
  }
  assert.equal((await ask())[0], 200, 'nothing is required')
  assert.equal((await ask(fraud))[0], 200)
  const [, , otherPurpose] = await ask(identity)
  assert.equal(otherPurpose, `Request error: consent.purpose must be one of ${purpose}`)
  assert.deepEqual(await ask({ purpose, legalBasis: 'CONSENT' }), [
    400,
    'P7372',
    `Request error: consent.legalBasis for ${purpose} must be one of LEGITIMATE_INTERESTS, CONTRACT`,
  ])
  for (const name of ['dpv:constructor', 'dpv:toString', 'dpv:hasOwnProperty']) {
    assert.equal((await ask({ purpose: name }))[1], 'P7372', name)
  }
})

test('refuses at the door whatever is no consent, and nothing of it reaches an event', async (t) => {
  const service = await startTestService(t, await open(t))
  await recordEvents(service)
  const withReference = (reference: unknown) => ({ ...fraud, reference })
  const wrong: unknown[] = [
    ...['text', 1, null, [], {}, true].filter((value) => value !== undefined),
    { legalBasis: 'CONSENT' },
    { purpose: 'FraudPreventionAndDetection' },
    { purpose: 'dpv:' },
    { purpose: 'dpv:Fraud Prevention' },
    { purpose: `dpv:${'a'.repeat(65)}` },
    { purpose: 'dpv:A sim-swap:check' },
    { purpose: 'dpv:A\nB' },
    { ...fraud, legalBasis: 'legitimate_interests' },
    { ...fraud, legalBasis: 'VITAL' },
    { ...fraud, legalbasis: 'CONSENT' },
    { ...fraud, givenAt: 'yesterday' },
    { ...fraud, givenAt: '2026-02-30T00:00:00Z' },
    ...['', 'x'.repeat(129), ' a', 'a b', '=1+1', '+1', '-1', '@SUM(A1)', 'a,b', 'a;b', 'a"b', "a'b", 'a\tb'].map(
      withReference,
    ),
    ...[
      'a\r\nb',
      'a\u0000b',
      'a\u001b[31m',
      'a\u0085b',
      'a\u2028b',
      'a|b',
      'a=b',
      'a<b>',
      'é',
      '\u202ea',
      'a\\b',
      'a\n',
    ].map(withReference),
    ...[1, null, ['a'], { a: 1 }].map(withReference),
  ]
  for (const [path, body] of Object.entries(doors)) {
    for (const consent of wrong) {
      const { status, body: answer } = await service.post(path, { ...body, consent })
      assert.deepEqual([status, answer.errorCode], [400, 'P7102'], `${path} ${JSON.stringify(consent)}`)
      assert.match(answer.description, /^Request error: consent/, JSON.stringify(consent))
    }
  }
  assert.deepEqual([callsOf(service), await eventsOf(service)], [[], []])
  for (const reference of ['a', 'x'.repeat(128), 'order/2026-11-26:4711@shop.example+1_b']) {
    const { status } = await service.post(simSwapCheck.path, { phoneNumber: number, consent: withReference(reference) })
    assert.equal(status, 200, reference)
  }
})

test('the access token has the purpose of the call, where the connector has it, and one token for each', async (t) => {
  const { purpose } = fraud
  const clients = [
    {
      clientId: 'ringfence',
      clientSecret: 'sandbox-client-secret',
      purposes: ['FraudPreventionAndDetection', 'IdentityVerification'],
    },
  ]
  const operator = await startSandbox({ clock: testClock(), clients })
  atEnd(t, () => operator.close())
  const granted = {
    [purpose]: purpose,
    'dpv:IdentityVerification': 'dpv:IdentityVerification',
    'dpv:Marketing': 'dpv:Marketing',
  }
  const service = await startTestService(t, await open(t), {
    edit(parts) {
      const sandbox = parts.connectors.sandbox as never as { token: object }
      const token = { ...sandbox.token, endpoint: `${operator.url}/oauth2/token` }
      const acme = { ...sandbox, baseUrl: operator.url, token, purposes: granted } as never as { type: string }
      return { ...parts, connectors: { ...parts.connectors, sandbox: acme } }
    },
  })
  const ask = async (consent?: object) => {
    const { body } = await service.post(simSwapCheck.path, { phoneNumber: number, ...(consent && { consent }) })
    const paths = operator.calls.last(100).map(({ path }) => path)
    operator.calls.clear()
    const isToken = (path: string) => path.startsWith('/oauth2')
    return [body.success ?? body.errorCode, paths.filter(isToken).length, paths.filter((path) => !isToken(path)).length]
  }
  assert.deepEqual(await ask(fraud), [true, 1, 1])
  assert.deepEqual(await ask(fraud), [true, 0, 1])
  assert.deepEqual(await ask(), [true, 0, 1], 'without a purpose: that of the connector')
  assert.deepEqual(await ask(identity), [true, 1, 1])
  assert.deepEqual(await ask(identity), [true, 0, 1])
  assert.deepEqual(await ask({ purpose: 'dpv:ServiceProvision' }), ['P7311', 0, 0], 'never under another purpose')
  const [refused] = await ask({ purpose: 'dpv:Marketing' })
  assert.equal(refused, false, 'the operator grants no such token')
})

test('the configuration says what cannot work, with its path', () => {
  const { purpose } = fraud
  const mistakes: [ConsentSettings, RegExp][] = [
    [{ required: ['reference'], automatic: fraud }, /^consent\.automatic: consent\.automatic\.reference is missing/],
    [
      { purposes: { [purpose]: {} }, automatic: identity },
      /^consent\.automatic: consent\.automatic\.purpose must be one of/,
    ],
    [
      { tenants: { a: { purposes: { [purpose]: { legalBases: ['CONTRACT'] } }, automatic: fraud } } },
      /^consent\.tenants\.a\.automatic: .*legalBasis for dpv:FraudPreventionAndDetection must be one of CONTRACT/,
    ],
  ]
  for (const [settings, message] of mistakes) assert.throws(() => purposes(settings), { message })
})

test('the rules of a tenant apply to it alone', () => {
  const rules = purposes({ ...required, tenants: { free: {}, strict: { required: ['reference'] } } })
  assert.throws(() => rules.admit('other', undefined))
  rules.admit('free', undefined)
  assert.throws(() => rules.admit('strict', fraud), /Consent required/)
  rules.admit('strict', identity)
  assert.deepEqual([rules.requires('free'), rules.requires('strict'), rules.requires('other')], [false, true, true])
  for (const legalBasis of legalBases) rules.admit('other', { ...fraud, legalBasis })
})
