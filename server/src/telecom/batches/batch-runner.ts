// Which batches does this server check now? One of each tenant, in turns, and those of servers that died.

import { randomBytes } from 'node:crypto'
import { turns } from '../../core/heavy-work/turns.ts'
import type { TelecomNeeds } from '../room.ts'
import { claimBatch, dueBatch, mostBusyTenants, releaseClaim } from '../store/batches.ts'
import { type ClaimedRow, claimMs } from './held-claim.ts'
import { runBatch } from './run-batch.ts'

const everyMs = 1000

export interface BatchRunner {
  /** Checks every batch that no other server has, to its end. */
  round(): Promise<void>
  close(): Promise<void>
}

/** Looks every second until it is closed. */
export function startBatchRunner(needs: TelecomNeeds): BatchRunner {
  const runner = batchRunner(needs)
  const timer = setInterval(runner.look, everyMs)
  timer.unref()
  return {
    ...runner,
    close() {
      clearInterval(timer)
      return runner.close()
    },
  }
}

/** Looks when `round` or `look` is called. `clock` decides whether a server has died. */
export function batchRunner(needs: TelecomNeeds): BatchRunner & { look(): void } {
  const {
    database,
    clock,
    log,
    heavyWork: { overload },
    settings,
  } = needs
  const shared = turns(settings.batchConcurrency, overload)
  /** By tenant: one at a time, so that the batches of one do not hold up those of others. */
  const running = new Map<string, Promise<void>>()
  let isClosing = false
  let looking: Promise<unknown> | undefined
  const look = () => {
    looking ??= claimAll()
      .catch((error) => log.warn({ err: error }, 'cannot look for batches; trying again'))
      .finally(() => {
        looking = undefined
      })
  }

  async function claimAll(): Promise<void> {
    while (!isClosing && running.size < mostBusyTenants) {
      const now = clock.now()
      const claim = randomBytes(16)
      const busy = [...running.keys()]
      const row = await claimBatch(database, { claim, now, until: now + claimMs, busy })
      if (!row) return
      const { tenantId } = row
      running.set(
        tenantId,
        run({ ...row, claim }).then((hasEnded) => {
          running.delete(tenantId)
          // The tenant may have another one.
          if (hasEnded && !isClosing) look()
        }),
      )
    }
  }

  /** @returns whether it has ended */
  async function run(row: ClaimedRow): Promise<boolean> {
    let goesOn: boolean
    try {
      goesOn = await runBatch(row, { needs, turns: shared, isClosing: () => isClosing, othersWait })
    } catch (error) {
      // The claim ends automatically, and a server goes on with it.
      log.warn({ err: error }, 'a batch stopped; it goes on in a moment')
      return false
    }
    if (goesOn) await releaseClaim(database, row, clock.now()).catch(() => undefined)
    return !goesOn
  }

  async function othersWait(): Promise<boolean> {
    if (running.size < mostBusyTenants) return false
    return (await dueBatch(database, { now: clock.now(), busy: [...running.keys()] })) !== undefined
  }

  return {
    look,
    async round() {
      for (;;) {
        await claimAll()
        // A batch that has ended looks for the next one of its tenant.
        await looking
        if (running.size === 0) return
        await Promise.race(running.values())
      }
    },
    async close() {
      isClosing = true
      await looking
      await Promise.all(running.values())
    },
  }
}
