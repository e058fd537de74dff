// What has to be done from time to time? Expired answers are dropped.

import type { Platform } from './platform.ts'

const everyMs = 60_000

/** Runs until closed; a round that fails is logged and tried again at the next one. */
export function keepHouse({ telecom, log }: Pick<Platform, 'telecom' | 'log'>): { close(): Promise<void> } {
  let round: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    round = telecom.answers.dropExpired().catch((error) => log.warn({ err: error }, 'expired answers not dropped'))
  }, everyMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await round
    },
  }
}
