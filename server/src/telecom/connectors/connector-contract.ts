// What must every connector do? One test suite for all connectors, against an upstream over real HTTP.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import { settlesAtOnce } from '../../testing/settles.ts'
import { UpstreamError, type UpstreamErrorReason } from '../../upstream/upstream-error.ts'
import { CheckUnsupported, type Connector, WindowUnsupported } from './connector.ts'
import { inquiry } from './testing/inquiries.ts'

/** A connector that offers both checks, and an upstream of its kind with these numbers. */
export interface Specimen {
  connector: Connector
  numbers: {
    /** The SIM is years old, and calls are not forwarded. */
    ordinary: PhoneNumber
    /** The SIM was changed between 99 and 100 hours ago. */
    changed100HoursAgo: PhoneNumber
    forwarded: PhoneNumber
    /** Forwarded when busy or unanswered, not unconditionally. */
    forwardedConditionally: PhoneNumber
    /** The upstream does not offer its checks for this number. */
    unsupported: PhoneNumber
    /** The upstream may look back 168 hours. */
    lookBack168Hours: PhoneNumber
  }
  /** The correlators of the calls that arrived, in order; null for a call without one. */
  correlators(): (string | null)[]
  /** From now on the upstream accepts calls and never responds. */
  fallSilent(): void
  /** Stops the upstream. */
  stop(): Promise<void>
  logged(): string
  /** Secrets of the connector's configuration. */
  secrets: readonly string[]
}

/** Registers the tests. `open` creates a fresh specimen that closes with the test. */
export function connectorContract(kind: string, open: (t: TestContext) => Promise<Specimen>): void {
  for (const [promise, check] of Object.entries(promises)) {
    test(`${kind}: ${promise}`, async (t) => check(await open(t), t))
  }
}

const promises: Readonly<Record<string, (specimen: Specimen, t: TestContext) => Promise<void>>> = {
  'returns true for a SIM change within the window and false for an earlier one': async ({ connector, numbers }) => {
    const swapped = (number: PhoneNumber, hours: number) =>
      connector.checks.simSwap!(number, { maxAge: hours }, inquiry()).then(({ swapped }) => swapped)
    assert.equal(await swapped(numbers.changed100HoursAgo, 100), true)
    assert.equal(await swapped(numbers.changed100HoursAgo, 99), false)
    assert.equal(await swapped(numbers.ordinary, 2400), false)
  },

  'counts conditional forwarding only when the caller asks for it': async ({ connector, numbers }) => {
    const forwarded = (number: PhoneNumber, conditional: boolean) =>
      connector.checks.callForwarding!(number, { conditional }, inquiry()).then(({ active }) => active)
    assert.deepEqual(
      [await forwarded(numbers.ordinary, false), await forwarded(numbers.ordinary, true)],
      [false, false],
    )
    assert.deepEqual(
      [await forwarded(numbers.forwarded, false), await forwarded(numbers.forwarded, true)],
      [true, true],
    )
    assert.equal(await forwarded(numbers.forwardedConditionally, false), false)
    assert.equal(await forwarded(numbers.forwardedConditionally, true), true)
  },

  'sends the correlator to the upstream': async ({ connector, numbers, correlators }) => {
    await connector.checks.simSwap!(numbers.ordinary, { maxAge: 240 }, { ...inquiry(), correlator: 'login-1' })
    assert.equal(correlators().at(-1), 'login-1')
    await connector.checks.callForwarding!(numbers.ordinary, { conditional: false }, { ...inquiry(), correlator: 'd' })
    assert.equal(correlators().at(-1), 'd')
  },

  'throws CheckUnsupported for a number that the upstream does not check': async ({ connector, numbers }) => {
    await assert.rejects(connector.checks.simSwap!(numbers.unsupported, { maxAge: 240 }, inquiry()), CheckUnsupported)
    await assert.rejects(
      connector.checks.callForwarding!(numbers.unsupported, { conditional: false }, inquiry()),
      CheckUnsupported,
    )
  },

  'throws WindowUnsupported for a window beyond the limit of the operator': async ({ connector, numbers }) => {
    const { swapped } = await connector.checks.simSwap!(numbers.lookBack168Hours, { maxAge: 168 }, inquiry())
    assert.equal(swapped, false)
    await assert.rejects(
      connector.checks.simSwap!(numbers.lookBack168Hours, { maxAge: 169 }, inquiry()),
      WindowUnsupported,
    )
  },

  'rejects at the deadline when the upstream never responds': async (specimen, t) => {
    const { connector, numbers, fallSilent, correlators } = specimen
    fallSilent()
    const checks = [
      (signal: AbortSignal) => connector.checks.simSwap!(numbers.ordinary, { maxAge: 240 }, { ...inquiry(), signal }),
      (signal: AbortSignal) =>
        connector.checks.callForwarding!(numbers.ordinary, { conditional: false }, { ...inquiry(), signal }),
    ]
    for (const check of checks) {
      const deadline = new AbortController()
      const before = correlators().length
      const failed = fails('timeout', check(deadline.signal))
      await t.waitFor(() => assert.ok(correlators().length > before), { timeout: 10_000 })
      deadline.abort()
      await settlesAtOnce(failed)
    }
  },

  'fails as unreachable when the upstream has stopped': async ({ connector, numbers, stop }) => {
    await stop()
    await fails('unreachable', connector.checks.simSwap!(numbers.ordinary, { maxAge: 240 }, inquiry()))
    await fails('unreachable', connector.checks.callForwarding!(numbers.ordinary, { conditional: false }, inquiry()))
  },

  'keeps numbers and secrets out of errors and logs': async (specimen) => {
    const { connector, numbers, secrets, logged, stop } = specimen
    const errors: string[] = []
    const note = (error: Error) =>
      errors.push(`${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause}`)
    await connector.checks.simSwap!(numbers.unsupported, { maxAge: 240 }, inquiry()).catch(note)
    await connector.checks.simSwap!(numbers.lookBack168Hours, { maxAge: 240 }, inquiry()).catch(note)
    await connector.checks.simSwap!(
      numbers.ordinary,
      { maxAge: 240 },
      { ...inquiry(), signal: AbortSignal.abort() },
    ).catch(note)
    await stop()
    for (let count = 0; count < 15; count++) {
      await connector.checks.simSwap!(numbers.ordinary, { maxAge: 240 }, inquiry()).catch(note)
    }
    assert.equal(errors.length, 18)
    for (const text of [...errors, logged()]) {
      for (const secret of secrets) assert.ok(!text.includes(secret), text)
      for (const { digits } of Object.values(numbers)) assert.ok(!text.includes(digits.slice(2)), text)
    }
  },

  'fails as unreachable after it was closed': async ({ connector, numbers }) => {
    await connector.checks.simSwap!(numbers.ordinary, { maxAge: 240 }, inquiry())
    await connector.close?.()
    await fails('unreachable', connector.checks.simSwap!(numbers.ordinary, { maxAge: 240 }, inquiry()))
  },
}

async function fails(reason: UpstreamErrorReason, check: Promise<unknown>): Promise<void> {
  await assert.rejects(check, (error: Error) => {
    assert.ok(error instanceof UpstreamError, String(error))
    assert.equal(error.reason, reason, error.message)
    return true
  })
}
