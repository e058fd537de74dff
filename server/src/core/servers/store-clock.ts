// Which time do all servers of one store live by? The store's: a machine whose clock is wrong corrects it.

import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Database } from '../storage/database.ts'
import { storeTime } from '../storage/servers/store-time.ts'

const everyMs = 10_000

/** Clocks that NTP keeps differ by far less. Within this, the machine's own clock counts. */
const toleratedMs = 1000

export interface ClockSkew {
  /** How far this machine's clock is ahead of the store's; negative when it is behind. */
  readonly skewMs: number
  /** Half of the round trip: the skew may be wrong by so much. */
  readonly uncertaintyMs: number
}

/** Measures once. Undefined for the embedded store. @throws StorageUnavailable */
export async function measureSkew(
  database: Pick<Database, 'engine' | 'query'>,
  machine: Clock,
): Promise<ClockSkew | undefined> {
  const before = machine.now()
  const startedAt = performance.now()
  const store = await storeTime(database)
  if (store === undefined) return undefined
  const uncertaintyMs = (performance.now() - startedAt) / 2
  return { skewMs: Math.round(before + uncertaintyMs - store), uncertaintyMs }
}

/** Whether a skew has to be corrected, and is worth a warning. */
const isSkewed = ({ skewMs, uncertaintyMs }: ClockSkew): boolean => Math.abs(skewMs) > toleratedMs + uncertaintyMs

export interface StoreClock extends Clock {
  /** The last measured skew. Undefined for the embedded store. */
  skewMs(): number | undefined
  /** Measures now, so that `now` is the store's time. @throws StorageUnavailable */
  measure(): Promise<void>
  close(): void
}

export interface StoreClockResources {
  database: Pick<Database, 'engine' | 'query'>
  /** The machine's own clock. */
  clock: Clock
  log: Logger
}

/** Measures before it returns, and then every ten seconds until it is closed. @throws StorageUnavailable */
export async function openStoreClock({ database, clock, log }: StoreClockResources): Promise<StoreClock> {
  let measured: ClockSkew | undefined
  let correctedMs = 0

  async function measure(): Promise<void> {
    measured = await measureSkew(database, clock)
    if (!measured) return
    const { skewMs, uncertaintyMs } = measured
    if (!isSkewed({ skewMs: skewMs - correctedMs, uncertaintyMs })) return
    correctedMs = isSkewed(measured) ? skewMs : 0
    const skewSeconds = Math.round(skewMs / 1000)
    if (correctedMs === 0) log.info({ skewSeconds }, "the machine's clock agrees with the database's clock again")
    else {
      const side = skewMs > 0 ? 'ahead of' : 'behind'
      const what = `the machine's clock is ${Math.abs(skewSeconds)} s ${side} the database's clock: the server corrects it; synchronise both with NTP`
      log.warn({ skewSeconds }, what)
    }
  }

  await measure()
  // A failure is no news: every request that needs the store reports it.
  const timer = database.engine === 'sqlite' ? undefined : setInterval(() => measure().catch(() => undefined), everyMs)
  timer?.unref()
  return {
    now: () => clock.now() - correctedMs,
    skewMs: () => measured?.skewMs,
    measure,
    close: () => clearInterval(timer),
  }
}
