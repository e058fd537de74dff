// What has to be done from time to time? Answers, tokens, sessions and analyses that expired are dropped, signing keys follow each other.

import { dropExpiredSessions } from './apps/session.ts'
import { dropExpiredSignIns } from './authentication/sign-in-retention.ts'
import { dropExpired as dropExpiredAnalyses } from './device/history/retention.ts'
import { dropStaleClaims } from './device/identity/recognise.ts'
import type { Platform } from './platform.ts'
import { dropExpiredTokens } from './tokens/token-retention.ts'

const everyMs = 60_000

/** Runs until closed; a round that fails is logged and tried again at the next one. */
export function keepHouse(
  platform: Pick<Platform, 'telecom' | 'signingKeys' | 'database' | 'tenantKeyring' | 'clock' | 'settings' | 'log'>,
): {
  close(): Promise<void>
} {
  const { telecom, signingKeys, log } = platform
  const warn = (what: string) => (error: unknown) => log.warn({ err: error }, what)
  let round: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    round = Promise.all([
      telecom.answers.dropExpired().catch(warn('expired answers not dropped')),
      dropExpiredSignIns(platform).catch(warn('ended sign-ins not dropped')),
      dropExpiredTokens(platform).catch(warn('expired tokens not dropped')),
      dropExpiredSessions(platform).catch(warn('expired sessions not dropped')),
      signingKeys.rotateWhenDue().catch(warn('signing keys not renewed')),
      dropExpiredAnalyses(platform).catch(warn('expired analyses not dropped')),
      dropStaleClaims(platform).catch(warn('stale claims of devices not dropped')),
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
