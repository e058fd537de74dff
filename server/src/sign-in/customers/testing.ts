// How does a test import customers? From lines, into the tenant of a service.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd, type Ending } from '../../testing/at-end.ts'
import type { TestService } from '../../testing/test-service.ts'
import type { IdentityName } from '../identity-hash.ts'
import { customerWith, isContactOf } from './customers.ts'
import { type ImportOptions, importCustomers } from './import-customers.ts'

export const number = (identityValue: string): IdentityName => ({ identityType: 'MOBILE', identityValue })
export const address = (identityValue: string): IdentityName => ({ identityType: 'EMAIL', identityValue })

/** A folder for the files of imports. */
export async function importFolder(t: Ending): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-customers-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

export function customersOf({ parts, tenantId }: Pick<TestService, 'parts' | 'tenantId'>, dataFolder: string) {
  return {
    /** Lines after `id,number,email`. */
    import: (lines: readonly string[], options: Partial<ImportOptions> = {}) =>
      importCustomers(
        { tenantId, dataFolder, source: textOf(['id,number,email', ...lines].join('\n')), ...options },
        parts,
      ),
    with: (...identities: IdentityName[]) => customerWith(tenantId, identities, parts),
    isContact: (customerId: string, identity: IdentityName) => isContactOf(tenantId, customerId, identity, parts),
  }
}

export async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000)
}
