// Which resources does a test pass to a client of an upstream? A test clock, a readable log, counted calls, secrets by name.

import { pino } from 'pino'
import { secretsOf } from '../../core/config/secret-reference.ts'
import { passOn } from '../../core/telemetry/tracing.ts'
import { type TestClock, testClock } from '../../testing/test-clock.ts'
import type { UpstreamResources } from '../upstream-resources.ts'

export interface TestResources extends UpstreamResources {
  clock: TestClock
  /** Everything logged so far, at every level. */
  logged(): string
  /** Upstream calls in order: "acme sim-swap/check ok". */
  counted: string[]
}

export function testResources(secrets: Readonly<Record<string, string>> = {}): TestResources {
  const lines: string[] = []
  const counted: string[] = []
  return {
    clock: testClock(),
    log: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }),
    logged: () => lines.join(''),
    metrics: { observe: (_name, _seconds, ...labels) => counted.push(labels.join(' ')), set: () => undefined },
    counted,
    tracing: passOn,
    readSecret: secretsOf(secrets),
  }
}
