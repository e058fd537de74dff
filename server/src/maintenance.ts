// What does the service do from time to time? It deletes expired records and renews signing keys.

import { dropExpiredSessions } from './apps/session.ts'
import { dropExpiredSignIns } from './authentication/sign-in-retention.ts'
import { dropExpired as dropExpiredAnalyses } from './device/history/retention.ts'
import type { Platform } from './platform.ts'
import { dropExpiredTokens } from './tokens/token-retention.ts'

const everyMs = 60_000

/** Runs every minute until it is closed. A task that fails is logged and runs again in the next round. */
export function startMaintenance(
  platform: Pick<Platform, 'telecom' | 'signingKeys' | 'database' | 'tenantKeyring' | 'clock' | 'settings' | 'log'>,
): {
  close(): Promise<void>
} {
  const { telecom, signingKeys, log } = platform
  const warn = (what: string) => (error: unknown) => log.warn({ err: error }, what)
  let round: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    round = Promise.all([
      telecom.answers.dropExpired().catch(warn('could not delete expired telecom answers')),
      dropExpiredSignIns(platform).catch(warn('could not delete expired sign-ins')),
      dropExpiredTokens(platform).catch(warn('could not delete expired tokens')),
      dropExpiredSessions(platform).catch(warn('could not delete expired sessions')),
      signingKeys.rotateWhenDue().catch(warn('could not renew signing keys')),
      dropExpiredAnalyses(platform).catch(warn('could not delete expired device analyses')),
    ])
  }, everyMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await round
    },
  }
}
