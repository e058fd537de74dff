// What does a security team keep? Who got in, who was refused, what was issued or changed: lines apart from those of all requests.

import { endpoints } from '@ringfence/contract'
import type { Logger } from 'pino'
import type { FailureName } from '../errors.ts'
import { logTo } from './log.ts'

/** Calls that let somebody in, issue or end something, or change what is known of a device; with every outcome. */
const auditedPaths: ReadonlySet<string> = new Set(
  [
    endpoints.issueToken,
    endpoints.revokeToken,
    endpoints.signInVerify,
    endpoints.exchangeCode,
    endpoints.verifyOtp,
    endpoints.labelReports,
    endpoints.updateAccountDevice,
    endpoints.deleteAccountDevices,
  ].map(({ path }) => path),
)

/** Refusals that say that somebody tried what they may not, at any endpoint. */
const auditedFailures: ReadonlySet<FailureName> = new Set(['credentialsInvalid', 'sessionForeign'])

export const isAudited = (path: string, failure: FailureName | undefined): boolean =>
  auditedPaths.has(path) || (failure !== undefined && auditedFailures.has(failure))

/** Audit lines of `AUDIT_LOG`, a file that only grows. Undefined without one: then only the request's own line has `"audit":true`. */
export const openAuditLog = (file: string | undefined): Logger | undefined =>
  file === undefined ? undefined : logTo(file)
