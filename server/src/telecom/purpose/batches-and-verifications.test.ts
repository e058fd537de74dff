// Do batches and Number Verifications state a purpose, to operators, in events and where they are read, and is none made without?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Consent, endpoints } from '@ringfence/contract'
import { startSandbox } from '@ringfence/sandbox'
import type { ConsentSettings } from '../../core/config/consent-settings.ts'
import { contextOf } from '../../events/sealed-event.ts'
import { startSignInService } from '../../sign-in/authentication/testing/sign-in-service.ts'
import { atEnd, type Ending } from '../../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { batchRunner } from '../batches/batch-runner.ts'
import { batchCalls, csvOf, ordinaryNumbers } from '../batches/testing.ts'
import { openAsPhone } from '../number-verification/testing/phone.ts'
import { purposes } from './purposes.ts'

const number = '917020141726'
const fraud: Consent = { purpose: 'dpv:FraudPreventionAndDetection', legalBasis: 'LEGITIMATE_INTERESTS' }
const identity: Consent = { purpose: 'dpv:IdentityVerification', legalBasis: 'CONSENT', reference: 'c-1' }
const required: ConsentSettings = { required: ['purpose', 'legalBasis'] }
const { path } = endpoints.beginNumberVerification

const edit = (consent: ConsentSettings) => (parts: object) => ({ ...parts, consent }) as never

/** The connector of the sandbox with these purposes. */
const grants =
  (purposes: Record<string, string>, consent: ConsentSettings = {}) =>
  (parts: { connectors: Record<string, object> }) =>
    ({ ...parts, consent, connectors: { sandbox: { ...parts.connectors.sandbox, purposes } } }) as never

/** An operator that grants two purposes, and a connector that states both. */
async function twoPurposes(t: Ending, consent: ConsentSettings) {
  const clients = [
    {
      clientId: 'ringfence',
      clientSecret: 'sandbox-client-secret',
      purposes: ['FraudPreventionAndDetection', 'IdentityVerification'],
    },
  ]
  const operator = await startSandbox({ clock: testClock(), clients })
  atEnd(t, () => operator.close())
  operator.phones.set('127.0.0.1', { number, connection: 'mobile' })
  const granted = { [fraud.purpose]: fraud.purpose, [identity.purpose]: identity.purpose }
  const grantsBoth = grants(granted, consent)
  const edit = (parts: { connectors: Record<string, object> }) => {
    const { sandbox } = parts.connectors as { sandbox: { token: object } }
    const acme = {
      ...sandbox,
      baseUrl: operator.url,
      token: { ...sandbox.token, endpoint: `${operator.url}/oauth2/token` },
      numberVerification: { authorizationEndpoint: `${operator.url}/oauth2/authorize` },
    }
    return grantsBoth({ ...parts, connectors: { sandbox: acme } })
  }
  return { operator, edit: edit as never }
}

/** The calls about numbers that reached the operator since the last look. */
function callsOf({ sandbox }: TestService): string[] {
  const calls = sandbox.calls.last(1000).map(({ path }) => path)
  sandbox.calls.clear()
  return calls.filter((path) => !path.startsWith('/oauth2') && !path.startsWith('/sandbox'))
}

async function statedIn({ parts: needs, tenantId }: TestService): Promise<(Consent | undefined)[]> {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const rows = await needs.database.query<{ id: Uint8Array; sealed: Uint8Array }>(
    "select id, sealed from event where type = 'telecom.check.completed' order by id",
  )
  return rows.map(({ id, sealed }) => JSON.parse(keys.open(sealed, contextOf(id))).consent)
}

async function recordEvents({ parts: needs, tenantId, clock }: TestService): Promise<void> {
  await needs.database.query(
    `insert into event_receiver (tenant_id, id, types, state, sealed, created_at)
     values ($1, 'r', 'telecom.*', 'paused', $2, 0)`,
    [tenantId, new Uint8Array(0)],
  )
  clock.advance({ seconds: 1 })
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('each check of a batch states the purpose of the batch, which shows it'), async (t) => {
    const service = await startTestService(t, await open(t), { edit: edit(required) })
    await recordEvents(service)
    const { send, read, results } = batchCalls(service)
    const runner = batchRunner(service.parts)
    t.after(() => runner.close())
    const { status, body } = await send(csvOf(ordinaryNumbers(3)), { consent: identity })
    assert.deepEqual([status, body.consent], [200, identity], JSON.stringify(body))
    await runner.round()
    assert.deepEqual((await read(body.batchId)).consent, identity)
    const answered = (await results(body.batchId)).map(({ checks }) => checks?.simSwap?.success)
    assert.deepEqual(answered, [true, true, true])
    assert.deepEqual(await statedIn(service), [identity, identity, identity])
  })

  test(it('a batch without the consent that its tenant requires is refused before its lines are read'), async (t) => {
    const rules = { ...required, purposes: { [fraud.purpose]: { legalBases: ['LEGITIMATE_INTERESTS'] } } } as const
    const service = await startTestService(t, await open(t), { edit: edit(rules as never) })
    const { send } = batchCalls(service)
    const attempts: [Partial<Consent> | undefined, string, RegExp][] = [
      [undefined, 'P7371', /requires purpose, legalBasis, for example \?purpose=dpv:\w+&legalBasis=\w+/],
      [{ purpose: fraud.purpose }, 'P7371', /requires legalBasis, for example/],
      [identity, 'P7372', /error: purpose must be one of dpv:FraudPreventionAndDetection$/],
      [{ ...fraud, legalBasis: 'CONSENT' }, 'P7372', /error: legalBasis for dpv:\w+ must be one of LEGITIMATE/],
      [{ legalBasis: 'CONSENT' }, 'P7102', /error: purpose is missing/],
      [{ reference: 'r-1' }, 'P7102', /error: purpose is missing/],
      [{ purpose: 'Marketing' }, 'P7102', /error: purpose must be a term/],
      [{ ...fraud, reference: '=1+1' }, 'P7102', /error: reference must be an id/],
    ]
    for (const [consent, errorCode, reason] of attempts) {
      // Lines that no batch may have: whoever reads them refuses in another way.
      const { status, body } = await send('no header', consent && { consent })
      assert.deepEqual([status, body.errorCode], [400, errorCode], JSON.stringify(consent))
      assert.match(body.description!, reason)
    }
    assert.deepEqual(await service.parts.database.query('select 1 as one from telecom_batch'), [])
    assert.equal((await send(csvOf([number]), { consent: fraud })).status, 200)
  })

  test(it('a repeated batch with another purpose, legal basis or reference is another one'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { send } = batchCalls(service)
    const again = (consent?: Consent) => send(csvOf([number]), { key: 'k', ...(consent && { consent }) })
    const first = await again(identity)
    assert.equal((await again(identity)).body.batchId, first.body.batchId)
    for (const consent of [
      undefined,
      fraud,
      { ...identity, legalBasis: 'CONTRACT' },
      { ...identity, reference: 'x' },
    ]) {
      const { status, body } = await again(consent as Consent)
      assert.equal(status, 409, JSON.stringify(consent))
      assert.match(body.description!, /purpose/)
    }
  })

  test(it('a batch that is older than the requirement is not checked: each line says why'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { send, results } = batchCalls(service)
    const { body } = await send(csvOf(ordinaryNumbers(2)), { checks: 'simSwap,portability' })
    Object.assign(service.parts.telecom.purposes, purposes(required))
    const runner = batchRunner(service.parts)
    t.after(() => runner.close())
    await runner.round()
    const found = await results(body.batchId)
    assert.deepEqual(
      found.map(({ error, checks }) => [error?.errorCode, checks]),
      [
        ['P7371', undefined],
        ['P7371', undefined],
      ],
    )
    assert.deepEqual(callsOf(service), [])
  })

  test(it('a Number Verification states its purpose in the URL of the operator and in its event'), async (t) => {
    const { operator, edit } = await twoPurposes(t, required)
    const service = await startTestService(t, await open(t), { edit })
    await recordEvents(service)
    const scopeOf = async (consent?: Consent) => {
      const { status, body } = await service.post(path, { phoneNumber: number, ...(consent && { consent }) })
      return [status, body.errorCode ?? new URL(body.url).searchParams.get('scope'), body] as const
    }
    const none = await scopeOf()
    assert.deepEqual(none.slice(0, 2), [400, 'P7371'])
    assert.match(none[2].description, /requires consent\.purpose, consent\.legalBasis, for example "consent"/)
    assert.deepEqual((await scopeOf({ purpose: fraud.purpose })).slice(0, 2), [400, 'P7371'])
    assert.deepEqual(operator.calls.last(10), [])
    const [, ofFraud] = await scopeOf(fraud)
    assert.equal(ofFraud, `openid ${fraud.purpose} number-verification:verify`)
    const [, scope, { verificationId, url }] = await scopeOf(identity)
    assert.equal(scope, `openid ${identity.purpose} number-verification:verify`)
    const { body } = await service.post(`${path}/${verificationId}/complete`, await openAsPhone(url))
    assert.equal(body.verified, true, JSON.stringify(body))
    assert.deepEqual(await statedIn(service), [identity])
  })

  test(it('SILENT states the consent of its app, else the automatic one, else sends an OTP'), async (t) => {
    const start = async (app: object, consent: ConsentSettings) => {
      const { edit } = await twoPurposes(t, consent)
      const service = await startSignInService(t, await open(t), { app, edit })
      await recordEvents(service)
      const { body } = await service.start({ channel: 'SILENT' })
      const url = body.authorizationUrl as string | undefined
      const page = url === undefined ? '' : await (await fetch(url)).text()
      const isVerified = page.includes('ringfence_code')
      const scope = url && new URL(url).searchParams.get('scope')
      const sent = service.parts.signIn.outbox.messages().length
      return { sent, scope, isVerified, stated: await statedIn(service) }
    }
    const scope = (purpose: string) => `openid ${purpose} number-verification:verify`
    assert.deepEqual(await start({}, required), { sent: 1, scope: undefined, isVerified: false, stated: [] })
    const automatic = { ...required, automatic: fraud }
    const ofAll = await start({}, automatic)
    assert.deepEqual(ofAll, { sent: 0, scope: scope(fraud.purpose), isVerified: true, stated: [fraud] })
    const own = await start({ gate: { consent: identity } }, automatic)
    assert.deepEqual(own, { sent: 0, scope: scope(identity.purpose), isVerified: true, stated: [identity] })
  })
})

const { open } = sqliteDatabases

test('a phone is not verified for a purpose that the operator did not grant', async (t) => {
  const service = await startTestService(t, await open(t), { edit: grants({ [fraud.purpose]: fraud.purpose }) })
  const { status, body } = await service.post(path, { phoneNumber: number, consent: identity })
  assert.deepEqual([status, body.success, body.error?.errorCode], [200, false, 'P7361'])
  const ofFraud = await service.post(path, { phoneNumber: number, consent: fraud })
  assert.equal(ofFraud.body.success, true)
})

test('the same scope of Number Verification for every purpose is refused at the start', async (t) => {
  const numberVerification = { authorizationEndpoint: 'http://127.0.0.1:1/authorize', scope: 'openid nv' }
  const start = startTestService(t, await open(t), {
    edit: (parts: { connectors: Record<string, object> }) =>
      grants({ [fraud.purpose]: fraud.purpose })({
        ...parts,
        connectors: { sandbox: { ...parts.connectors.sandbox, numberVerification } },
      }),
  } as never)
  await assert.rejects(start, /purposes: numberVerification\.scope is the same for every purpose/)
})
