// What does a test of a channel need? Resources, a message, and a readable log.

import { pino } from 'pino'
import { secretsOf } from '../../../core/config/secret-reference.ts'
import { passOn } from '../../../core/telemetry/tracing.ts'
import { testClock } from '../../../testing/test-clock.ts'
import type { ChannelResources, Message } from '../channel.ts'
import { compose } from '../messages/message.ts'
import { outbox } from '../messages/outbox.ts'

export interface TestResources extends ChannelResources {
  /** Every line of the log. */
  readonly lines: readonly string[]
}

export function testResources(environment: Record<string, string> = {}): TestResources {
  const lines: string[] = []
  // Any digits may be within a time, a process id or the name of a host.
  const log = pino({ level: 'trace', base: null, timestamp: false }, { write: (line: string) => void lines.push(line) })
  const metrics = { observe: () => undefined, set: () => undefined }
  const upstream = { clock: testClock(), log, readSecret: secretsOf(environment), metrics, tracing: passOn }
  return { ...upstream, outbox: outbox(), lines }
}

export const number = '917020141726'
export const otp = '482913'

export const otpMessage = (changes: Partial<Parameters<typeof compose>[0]> = {}): Message =>
  compose({ tenantId: 'shop', to: number, app: 'Shop', otp, lifetimeSeconds: 300, ...changes })

/** A deadline that only a hanging test reaches. */
export const soon = () => AbortSignal.timeout(60_000)
