// Can the apps of a tenant that have Android phones attested tell their own app from a copy?

import { listApps } from '../../apps/stored-apps.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Undefined where no app has Android phones attested. `subject` says whose apps they are, where there are several tenants. */
export async function attestationFinding(
  database: Queryable,
  tenantId: string,
  subject = 'attestation',
): Promise<Finding | undefined> {
  const attested = (await listApps(database, tenantId)).filter(
    ({ disabledAt, packageNames, settings }) =>
      disabledAt === null && packageNames.length > 0 && settings.attestation.ANDROID !== 'off',
  )
  if (attested.length === 0) return undefined
  const open = attested.filter(({ settings }) => settings.androidCertificates.length === 0).map(({ name }) => name)
  if (open.length === 0) return ok(subject, 'each app lists the certificates that sign it')
  return warning(
    subject,
    `without androidCertificates no Android phone is attested: ${open.join(', ')}`,
    'set them: docs/reference/key-attestation.md#set-up-the-app',
  )
}
