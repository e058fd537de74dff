// What does a security team keep? Who got in, who was refused, what was issued or changed: lines apart from those of all requests.

import type { FailureName } from '@ringfence/contract'
import { adminEndpoints, endpoints } from '@ringfence/contract'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { logTo } from './log.ts'

/** Calls that let somebody in, issue or end something, or change what is known of a device; with every outcome. */
const auditedPaths: ReadonlySet<string> = new Set(
  [
    endpoints.issueToken,
    endpoints.revokeToken,
    endpoints.linkUser,
    endpoints.unlinkUser,
    endpoints.mergeUsers,
    endpoints.signInVerify,
    endpoints.exchangeCode,
    endpoints.verifyOtp,
    endpoints.labelReports,
    endpoints.updateAccountDevice,
    endpoints.deleteAccountDevices,
    adminEndpoints.signIn,
    adminEndpoints.acceptInvitation,
    adminEndpoints.signOut,
  ].map(({ path }) => path),
)

/** Refusals that say that somebody tried what they may not, at any endpoint. */
export const auditedFailures: ReadonlySet<FailureName> = new Set([
  'credentialsInvalid',
  'sessionForeign',
  'countryRefused',
  'lineTypeRefused',
  'messagesLimited',
])

/** Refusals of the console, which have their texts in the problem alone. */
const consoleFailures: ReadonlySet<FailureName> = new Set(['permissionMissing', 'requestForged'])

export const isAudited = (path: string, failure: FailureName | undefined): boolean =>
  auditedPaths.has(path) || (failure !== undefined && (auditedFailures.has(failure) || consoleFailures.has(failure)))

export interface AuditLog {
  /** Never left out: a line about somebody who proved who they are. */
  write(line: object, message: string): void
  /**
   * A refusal of anybody. Strangers can cause any number of them, so beyond some lines a minute those of one path and failure are only
   * counted.
   */
  writeRefusal(line: { path: string; failure?: FailureName | undefined }, message: string): void
  /** Writes the counts of a minute that is over. */
  summarise(): void
  close(): void
}

const minuteMs = 60_000
/** Refusals with a line of their own in a minute: of one path and failure, and in all. A line has 500 bytes at most. */
const ofOneKind = 60
const inAll = 600

interface AuditResources {
  clock: Clock
  log: Logger
}

/** Audit lines of `AUDIT_LOG`, a file that only grows. Undefined without one: then only the request's own line has `"audit":true`. */
export function openAuditLog(file: string | undefined, { clock, log }: AuditResources): AuditLog | undefined {
  if (file === undefined) return undefined
  const thisMinute = () => Math.floor(clock.now() / minuteMs)
  let warnedIn: number | undefined
  const lines = logTo(file, {}, (error) => {
    if (warnedIn === thisMinute()) return
    warnedIn = thisMinute()
    log.error({ err: error, file }, 'cannot write audit lines; they wait in memory')
  })
  let minute = thisMinute()
  let written = 0
  const kinds = new Map<string, { path: string; failure?: FailureName | undefined; count: number; more: number }>()

  function summarise(): void {
    if (thisMinute() !== minute) writeCounts()
  }

  function writeCounts(): void {
    for (const { path, failure, more } of kinds.values()) {
      if (more > 0) lines.info({ audit: true, path, failure, more, minute: minute * minuteMs }, 'more refusals')
    }
    minute = thisMinute()
    written = 0
    kinds.clear()
  }

  return {
    write: (line, message) => lines.info(line, message),
    writeRefusal(line, message) {
      summarise()
      const { path, failure } = line
      const kind = kinds.getOrInsert(`${path} ${failure}`, { path, failure, count: 0, more: 0 })
      if (kind.count >= ofOneKind || written >= inAll) {
        kind.more++
        return
      }
      kind.count++
      written++
      lines.info(line, message)
    },
    summarise,
    close: writeCounts,
  }
}
