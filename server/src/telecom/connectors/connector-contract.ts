// What must every connector do? One test suite that each of them passes, against an upstream over real HTTP.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import { CheckFailed, CheckUnsupported, type Connector, type FailureReason, WindowUnsupported } from './connector.ts'
import { inquiry } from './testing/connector-resources.ts'

/** A connector before an upstream of its kind that has these numbers. It offers both checks. */
export interface Specimen {
  connector: Connector
  numbers: {
    /** Nothing found: SIM years old, no forwarding. */
    ordinary: PhoneNumber
    /** The SIM was changed between 99 and 100 hours ago. */
    changed100HoursAgo: PhoneNumber
    forwarded: PhoneNumber
    /** Forwarded when busy or unanswered, not unconditionally. */
    forwardedConditionally: PhoneNumber
    /** The upstream does not offer its checks for it. */
    unsupported: PhoneNumber
    /** A look-back of 168 hours is allowed. */
    lookBack168Hours: PhoneNumber
  }
  /** The correlators of the calls that arrived, in their order. */
  correlators(): (string | null)[]
  /** From now on the upstream takes calls and never answers. */
  fallSilent(): void
  /** The upstream is gone. */
  stop(): Promise<void>
  logged(): string
  /** Secrets of the connector's configuration. */
  secrets: readonly string[]
}

/** Registers the tests. `open` makes a fresh specimen, which is closed with the test. */
export function connectorContract(kind: string, open: (t: TestContext) => Promise<Specimen>): void {
  const contract = (promise: string, check: (specimen: Specimen) => Promise<void>) =>
    test(`${kind}: ${promise}`, async (t) => check(await open(t)))

  contract('a SIM change within the window is true, one before it is false', async ({ connector, numbers }) => {
    const swapped = (number: PhoneNumber, hours: number) => connector.simSwappedWithin!(number, hours, inquiry())
    assert.equal(await swapped(numbers.changed100HoursAgo, 100), true)
    assert.equal(await swapped(numbers.changed100HoursAgo, 99), false)
    assert.equal(await swapped(numbers.ordinary, 2400), false)
  })

  contract('conditional forwarding counts only when it is asked for', async ({ connector, numbers }) => {
    const forwarded = (number: PhoneNumber, conditional: boolean) =>
      connector.isForwarded!(number, conditional, inquiry())
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
  })

  contract('the correlator is passed on', async ({ connector, numbers, correlators }) => {
    await connector.simSwappedWithin!(numbers.ordinary, 240, { ...inquiry(), correlator: 'a:b/<c>{1}' })
    assert.equal(correlators().at(-1), 'a:b/<c>{1}')
    await connector.isForwarded!(numbers.ordinary, false, { ...inquiry(), correlator: 'd' })
    assert.equal(correlators().at(-1), 'd')
  })

  contract('a number that the upstream does not check is CheckUnsupported', async ({ connector, numbers }) => {
    await assert.rejects(connector.simSwappedWithin!(numbers.unsupported, 240, inquiry()), CheckUnsupported)
    await assert.rejects(connector.isForwarded!(numbers.unsupported, false, inquiry()), CheckUnsupported)
  })

  contract('a window beyond the limit of the operator is WindowUnsupported', async ({ connector, numbers }) => {
    assert.equal(await connector.simSwappedWithin!(numbers.lookBack168Hours, 168, inquiry()), false)
    await assert.rejects(connector.simSwappedWithin!(numbers.lookBack168Hours, 169, inquiry()), WindowUnsupported)
  })

  contract('an upstream that never answers is given up at the deadline', async ({ connector, numbers, fallSilent }) => {
    fallSilent()
    const startedAt = performance.now()
    await fails('timeout', connector.simSwappedWithin!(numbers.ordinary, 240, inquiry(60)))
    await fails('timeout', connector.isForwarded!(numbers.ordinary, false, inquiry(60)))
    assert.ok(performance.now() - startedAt < 1_000)
  })

  contract('an upstream that is gone is unreachable', async ({ connector, numbers, stop }) => {
    await stop()
    await fails('unreachable', connector.simSwappedWithin!(numbers.ordinary, 240, inquiry()))
    await fails('unreachable', connector.isForwarded!(numbers.ordinary, false, inquiry()))
  })

  contract('failures and logs hold neither number nor secret', async (specimen) => {
    const { connector, numbers, secrets, logged, stop } = specimen
    const told: string[] = []
    const note = (error: Error) => told.push(`${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause}`)
    await connector.simSwappedWithin!(numbers.unsupported, 240, inquiry()).catch(note)
    await connector.simSwappedWithin!(numbers.lookBack168Hours, 240, inquiry()).catch(note)
    await connector.simSwappedWithin!(numbers.ordinary, 240, { ...inquiry(), signal: AbortSignal.abort() }).catch(note)
    await stop()
    for (let count = 0; count < 15; count++) {
      await connector.simSwappedWithin!(numbers.ordinary, 240, inquiry()).catch(note)
    }
    assert.equal(told.length, 18)
    for (const text of [...told, logged()]) {
      for (const secret of secrets) assert.ok(!text.includes(secret), text)
      for (const { digits } of Object.values(numbers)) assert.ok(!text.includes(digits.slice(2)), text)
    }
  })

  contract('a closed connector fails at once', async ({ connector, numbers }) => {
    await connector.simSwappedWithin!(numbers.ordinary, 240, inquiry())
    await connector.close?.()
    await fails('unreachable', connector.simSwappedWithin!(numbers.ordinary, 240, inquiry()))
  })
}

async function fails(reason: FailureReason, asked: Promise<unknown>): Promise<void> {
  await assert.rejects(asked, (error: Error) => {
    assert.ok(error instanceof CheckFailed, String(error))
    assert.equal(error.reason, reason, error.message)
    return true
  })
}
