import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { isValidNumber } from './phone-number.ts'
import { type Scenario, scenarioOf, scenarios } from './scenarios.ts'
import type { Answer, TestSandbox } from './testing.ts'
import { testSandbox } from './testing.ts'

/** What each scenario shows: SIM swap (default window), its date, unconditional forwarding, its kinds, the port. */
const shown: Record<string, Seen> = {
  ordinary: ['no', 'date', 'no', 'inactive', 'home'],
  'sim-changed-1-hour-ago': ['yes', 'date', 'no', 'inactive', 'home'],
  'sim-changed-100-hours-ago': ['yes', 'date', 'no', 'inactive', 'home'],
  'sim-changed-500-hours-ago': ['no', 'date', 'no', 'inactive', 'home'],
  'sim-change-date-unknown': ['no', 'null 120', 'no', 'inactive', 'home'],
  'look-back-7-days': ['no', 'null 7', 'no', 'inactive', 'home'],
  forwarded: ['no', 'date', 'yes', 'unconditional', 'home'],
  'forwarded-when-busy-or-unanswered': ['no', 'date', 'no', 'conditional_busy,conditional_no_answer', 'home'],
  'forwarding-not-stated': ['no', 'date', 'not stated', '501 NOT_IMPLEMENTED', 'home'],
  ported: ['no', 'date', 'no', 'inactive', 'ported'],
  'ported-back-home': ['no', 'date', 'no', 'inactive', 'home'],
  'operator-unknown': every('404 IDENTIFIER_NOT_FOUND', '404 IDENTIFIER_NOT_FOUND'),
  'portability-source-down': ['no', 'date', 'no', 'inactive', '503 UNAVAILABLE'],
  'operator-without-checks': every('422 SERVICE_NOT_APPLICABLE', 'home SANDBOX_BASIC'),
  'service-not-applicable': every('422 SERVICE_NOT_APPLICABLE', 'home'),
  'identifier-not-found': every('404 IDENTIFIER_NOT_FOUND', 'home'),
  'permission-denied': every('403 PERMISSION_DENIED', 'home'),
  'internal-error': every('500 INTERNAL', 'home'),
  unavailable: every('503 UNAVAILABLE', 'home'),
  'too-many-requests': every('429 TOO_MANY_REQUESTS', 'home'),
  slow: every('slow', 'home'),
  'connection-reset': every('no answer', 'home'),
  garbage: every('no JSON', 'home'),
  'taken-over': ['yes', 'date', 'yes', 'unconditional', 'ported'],
}

const isOfSubscriber = (scenario?: Scenario) =>
  scenario?.subscriber !== undefined || scenario?.deviceChangedHoursAgo !== undefined

type Seen = [swapped: string, date: string, forwarded: string, kinds: string, port: string]

function every(check: string, port: string): Seen {
  return [check, check, check, check, port]
}

test('each number of the table shows its scenario, and an ordinary number shows nothing', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  for (const scenario of [undefined, ...scenarios]) {
    for (const suffix of scenario?.suffixes ?? ['0100', '1726']) {
      const name = scenario?.name ?? 'ordinary'
      assert.deepEqual(
        await seen(operator, `1202555${suffix}`, token),
        shown[isOfSubscriber(scenario) || scenario?.phone ? 'ordinary' : name],
        `${suffix} ${name}`,
      )
    }
  }
})

test('the specification’s number 917020141726 is ordinary, like most numbers', () => {
  assert.equal(scenarioOf('917020141726'), undefined)
  for (const digits of ['61491570006', '61491570313', '61491570737']) assert.equal(scenarioOf(digits), undefined)
})

test('numbers reserved for fiction show scenarios', () => {
  const australian = ['110', '156', '157', '158', '159'].map((ending) => `61491570${ending}`)
  const american = scenarios.flatMap(({ suffixes }) => suffixes.map((suffix) => `1202555${suffix}`))
  for (const digits of [...australian, ...american]) {
    assert.ok(isValidNumber(digits), digits)
    assert.ok(scenarioOf(digits), digits)
  }
})

test('each ending and each name identifies one scenario', () => {
  const endings = scenarios.flatMap(({ suffixes }) => suffixes)
  assert.equal(new Set(endings).size, endings.length)
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length)
  assert.ok(endings.every((ending) => /^01\d\d$/.test(ending)))
})

async function seen(operator: TestSandbox, digits: string, token: string): Promise<Seen> {
  const phoneNumber = `+${digits}`
  const ask = (path: string) => answered(operator, path, phoneNumber, token)
  const [swap, date, unconditional, kinds] = await Promise.all([
    ask('/sim-swap/v2/check'),
    ask('/sim-swap/v2/retrieve-date'),
    ask('/call-forwarding-signal/v0.4/unconditional-call-forwardings'),
    ask('/call-forwarding-signal/v0.4/call-forwardings'),
  ])
  const port = await operator.get(`/portability/v1/numbers/${digits}`, token)
  return [
    yesOrNo(swap, 'swapped'),
    typeof date === 'string' ? date : datePart(date.body),
    yesOrNo(unconditional, 'active'),
    typeof kinds === 'string' ? kinds : kinds.body.join(),
    port.status === 200 ? portPart(port.body) : failure(port),
  ]
}

/** The response, or a word for what came instead. */
async function answered(operator: TestSandbox, path: string, phoneNumber: string, token: string) {
  const correlator = randomUUID()
  const impatience = new AbortController()
  const isKeptWaiting = () =>
    operator.sandbox.calls.last(10).some((call) => call.correlator === correlator && call.fault === 'slow')
  const watch = setInterval(() => isKeptWaiting() && impatience.abort(), 5)
  try {
    const response = await fetch(`${operator.sandbox.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-correlator': correlator },
      body: JSON.stringify({ phoneNumber }),
      signal: impatience.signal,
    })
    const text = await response.text()
    const body = JSON.parse(text)
    return response.status === 200 ? { body } : failure({ status: response.status, body })
  } catch (cause) {
    if (cause instanceof SyntaxError) return 'no JSON'
    return impatience.signal.aborted ? 'slow' : 'no answer'
  } finally {
    clearInterval(watch)
  }
}

function failure({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  return `${status} ${body.code}`
}

function yesOrNo(answer: string | Pick<Answer, 'body'>, field: string): string {
  if (typeof answer === 'string') return answer
  return { true: 'yes', false: 'no', undefined: 'not stated' }[String(answer.body[field])] ?? 'nonsense'
}

function datePart(body: Answer['body']): string {
  return body.latestSimChange === null ? `null ${body.monitoredPeriod}` : 'date'
}

function portPart(body: Answer['body']): string {
  if (body.ported) return 'ported'
  return body.operator.name === 'SANDBOX_BASIC' ? 'home SANDBOX_BASIC' : 'home'
}
