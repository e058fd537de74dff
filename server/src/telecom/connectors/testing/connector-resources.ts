// With what does a test make a connector? A clock that stands, a log that can be read, calls that were counted, secrets by name.

import { pino } from 'pino'
import { secretsOf } from '../../../config/secret-reference.ts'
import type { PhoneNumber } from '../../../phone/phone-number.ts'
import { type TestClock, testClock } from '../../../testing/test-clock.ts'
import type { ConnectorResources } from '../connector.ts'

export interface TestResources extends ConnectorResources {
  clock: TestClock
  /** Everything logged so far, at every level. */
  logged(): string
  /** Upstream calls in their order: "acme sim-swap/check ok". */
  counted: string[]
}

export function testResources(secrets: Readonly<Record<string, string>> = {}): TestResources {
  const lines: string[] = []
  const counted: string[] = []
  return {
    clock: testClock(),
    log: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }),
    logged: () => lines.join(''),
    metrics: { upstreamCall: (upstream, call, outcome) => counted.push(`${upstream} ${call} ${outcome}`) },
    counted,
    readSecret: secretsOf(secrets),
  }
}

/** An Indian mobile number with these last four digits, which choose the sandbox's scenario. */
export function numberEnding(suffix: string): PhoneNumber {
  return { digits: `91702014${suffix}`, callingCode: '91', country: 'IN', type: 'MOBILE' }
}

/** Nothing of the sandbox's scenarios: an ordinary number. */
export const ordinaryNumber = numberEnding('1726')

/** An inquiry whose deadline comes after so many ms. */
export const inquiry = (deadlineMs = 5_000) => ({
  signal: AbortSignal.timeout(deadlineMs),
  correlator: 'test-correlator',
})
