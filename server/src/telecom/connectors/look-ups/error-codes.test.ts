// Does every error and every empty answer of a vendor mean the same for each of its questions? None is ever an answer.

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { type Reply, scriptedUpstream } from '../../../upstream/testing/scripted-upstream.ts'
import { testResources } from '../../../upstream/testing/test-resources.ts'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import { CheckUnsupported, WindowUnsupported } from '../connector.ts'
import { connectorKinds } from '../index.ts'
import { inquiry, ordinaryNumber } from '../testing/inquiries.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const secrets = { SECRET: 'secret', PEM: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
const SECRET = { env: 'SECRET' }

type Question = 'simSwap' | 'callForwarding' | 'roaming' | 'reachability' | 'operator'
type Fields = Record<string, unknown>

interface Vendor {
  readonly settings: object
  /** The member of a response that answers the question, as the vendor sends it for these fields of it. */
  readonly part: Partial<Record<Question, (fields: Fields) => object>>
  /** The fields of it that carry the answer. */
  readonly stated: Partial<Record<Question, readonly string[]>>
  /** The fields around them when the vendor has no error. */
  readonly fine: Fields
  /** Its error codes, as fields of the part. */
  readonly errors: readonly [unsupported: boolean, fields: Fields][]
}

const code = (field: string, unsupported: boolean, codes: readonly unknown[]) =>
  codes.map((each): [boolean, Fields] => [unsupported, { [field]: each }])
const insight = (name: string) => (fields: Fields) => ({ insights: { [name]: fields } })
const addOn = (name: string) => (fields: Fields) => ({ [name]: fields })

const vendors: Record<string, Vendor> = {
  'twilio-lookup': {
    settings: { accountSid: 'AC1', authToken: SECRET },
    part: {
      simSwap: ({ error_code, ...last_sim_swap }) => ({ sim_swap: { last_sim_swap, error_code } }),
      callForwarding: addOn('call_forwarding'),
      operator: addOn('line_type_intelligence'),
    },
    stated: {
      simSwap: ['last_sim_swap_date', 'swapped_period', 'swapped_in_period'],
      callForwarding: ['call_forwarding_status', 'call_forwarding_enabled'],
      operator: ['mobile_country_code', 'mobile_network_code'],
    },
    fine: { error_code: null },
    errors: [
      ...code('error_code', true, [60008, 60607, 60612]),
      ...code('error_code', false, [60005, 60608, 60610, 60616, 60620, 60600, 1]),
    ],
  },
  'vonage-insights': {
    settings: { applicationId: 'app', privateKey: { env: 'PEM' } },
    part: {
      simSwap: insight('sim_swap'),
      roaming: insight('roaming'),
      reachability: insight('reachability'),
      operator: insight('current_carrier'),
    },
    stated: {
      simSwap: ['latest_sim_swap_at', 'is_swapped'],
      roaming: ['is_roaming'],
      reachability: ['is_reachable'],
      operator: ['network_code'],
    },
    fine: { status: { code: 'OK' } },
    errors: [
      [true, { status: { code: 'NO_COVERAGE' } }],
      [true, { status: { code: 'UNSUPPORTED_NETWORK_TYPE' } }],
      ...['NOT_FOUND', 'UNAUTHORIZED', 'INVALID_PURPOSE', 'SUPPLIER_ERROR', 'INTERNAL_ERROR', 'NEW', ''].map(
        (each): [boolean, Fields] => [false, { status: { code: each } }],
      ),
    ],
  },
  sinch: {
    settings: { projectId: 'p', keyId: 'k', keySecret: SECRET },
    part: { simSwap: addOn('simSwap'), operator: addOn('line') },
    stated: { simSwap: ['swapped', 'swapPeriod'], operator: ['mobileCountryCode', 'mobileNetworkCode', 'ported'] },
    fine: {},
    errors: [
      ...[404, 422, 501].map((status): [boolean, Fields] => [true, { error: { status } }]),
      ...[400, 401, 403, 429, 500, undefined].map((status): [boolean, Fields] => [false, { error: { status } }]),
    ],
  },
  telesign: {
    settings: { customerId: 'c', apiKey: SECRET },
    part: {
      simSwap: addOn('sim_swap'),
      callForwarding: addOn('call_forward_detection'),
      operator: addOn('porting_status'),
    },
    stated: {
      simSwap: ['swap_date', 'swap_time', 'risk_indicator'],
      callForwarding: ['call_forward_enabled', 'call_forward_type'],
      operator: ['mcc_current', 'mnc_current', 'ported'],
    },
    fine: { status: { code: 2800 } },
    errors: [
      [true, { status: { code: 2803 } }],
      ...[2801, 2802, 2804, 2805, 2811, 2814].map((each): [boolean, Fields] => [false, { status: { code: each } }]),
    ],
  },
  telnyx: {
    settings: { apiKey: SECRET },
    part: {
      operator: ({ ported_status, ocn, ...carrier }) => ({ data: { carrier, portability: { ported_status, ocn } } }),
    },
    stated: { operator: ['ported_status', 'ocn', 'mobile_country_code', 'mobile_network_code'] },
    fine: {},
    errors: [],
  },
}

async function connectorOf(t: TestContext, type: string, reply: () => Reply) {
  const { url } = await scriptedUpstream(t, reply)
  const kind = connectorKinds.find((each) => each.type === type)!
  const config = { type, baseUrl: url, ...vendors[type]!.settings }
  const connector = kind.create('acme', config, testResources(secrets))
  t.after(() => connector.close?.())
  const ask: Record<Question, () => Promise<unknown>> = {
    simSwap: () => connector.checks.simSwap!(ordinaryNumber, { maxAge: 240 }, inquiry()),
    callForwarding: () => connector.checks.callForwarding!(ordinaryNumber, { conditional: false }, inquiry()),
    roaming: () => connector.checks.roaming!(ordinaryNumber, {}, inquiry()),
    reachability: () => connector.checks.reachability!(ordinaryNumber, {}, inquiry()),
    operator: () => connector.lookUpOperator!(ordinaryNumber, inquiry()),
  }
  return { ask, questions: [...Object.keys(connector.checks), 'operator'] as Question[] }
}

const outcomeOf = (asked: Promise<unknown>) =>
  asked.then(
    (answer) => answer,
    (error: unknown) => error,
  )

for (const [type, { part, stated, fine, errors }] of Object.entries(vendors)) {
  test(`${type}: every error code means the same for each question, and is never an answer`, async (t) => {
    const { questions } = await connectorOf(t, type, () => ({}))
    assert.deepEqual(Object.keys(part).sort(), questions.toSorted(), 'each question is tried')
    for (const question of questions) {
      for (const [unsupported, fields] of errors) {
        const { ask } = await connectorOf(t, type, () => ({ body: part[question]!(fields) }))
        const outcome = await outcomeOf(ask[question]())
        const expected = unsupported ? CheckUnsupported : UpstreamError
        assert.ok(outcome instanceof expected, `${question} ${JSON.stringify(fields)}: ${outcome}`)
      }
    }
  })

  test(`${type}: null, an empty text, a sentinel or nothing at all state nothing`, async (t) => {
    const { questions } = await connectorOf(t, type, () => ({}))
    for (const question of questions) {
      for (const nothing of [null, '', undefined]) {
        const fields = Object.fromEntries(stated[question]!.map((field) => [field, nothing]))
        const body = part[question]!({ ...fine, ...fields })
        const { ask } = await connectorOf(t, type, () => ({ body }))
        assertStatesNothing(question, await outcomeOf(ask[question]()), JSON.stringify(body))
      }
      for (const body of [{}, { insights: {} }, { data: {} }]) {
        const { ask } = await connectorOf(t, type, () => ({ body }))
        assertStatesNothing(question, await outcomeOf(ask[question]()), JSON.stringify(body))
      }
    }
    const [date] = stated.simSwap ?? []
    if (date === undefined || type === 'sinch') return
    for (const sentinel of ['01-01-1900', '1900-01-01', '1900-01-01T00:00:00Z', '0001-01-01', '9999-12-31', 'never']) {
      const { ask } = await connectorOf(t, type, () => ({ body: part.simSwap!({ ...fine, [date]: sentinel }) }))
      assertStatesNothing('simSwap', await outcomeOf(ask.simSwap()), sentinel)
    }
  })

  test(`${type}: an HTTP error is the same for each question, and 501 is "not supported"`, async (t) => {
    const { questions } = await connectorOf(t, type, () => ({}))
    for (const status of [400, 401, 402, 403, 404, 405, 409, 410, 422, 429, 500, 501, 502, 503, 504]) {
      for (const question of questions) {
        const { ask } = await connectorOf(t, type, () => ({ status, body: { code: 20404 } }))
        const outcome = await outcomeOf(ask[question]())
        const expected = status === 501 ? CheckUnsupported : UpstreamError
        assert.ok(outcome instanceof expected, `${question} ${status}: ${outcome}`)
        if (!(outcome instanceof UpstreamError)) continue
        const reason = status === 429 ? 'overloaded' : status >= 500 ? 'status' : 'rejected'
        assert.equal(outcome.reason, reason, `${question} ${status}: ${outcome}`)
      }
    }
  })
}

/** An operator that is not stated is no failure: another source may know it. */
function assertStatesNothing(question: Question, outcome: unknown, what: string): void {
  const refused = [UpstreamError, CheckUnsupported, WindowUnsupported].some((kind) => outcome instanceof kind)
  assert.ok(refused || (question === 'operator' && outcome === undefined), `${question} ${what}: ${inspected(outcome)}`)
}

const inspected = (outcome: unknown) => (outcome instanceof Error ? String(outcome) : JSON.stringify(outcome))
