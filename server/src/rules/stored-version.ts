// Which rules does a version have? They are sealed with the keys of their tenant.

import type { TenantKeyring } from '../core/crypto/tenant-keyring.ts'
import type { Database } from '../core/storage/database.ts'
import { defaultRules } from './defaults/default-rules.ts'
import type { RuleSet } from './language/rule.ts'
import { readRuleSet } from './rule-set.ts'
import { findRuleSet } from './store/rule-sets.ts'

/** The rules that come with Ringfence, as a version. */
export const defaultVersion = 0

/** A change that cannot be made; the message says what to do. */
export class RuleChangeRefused extends Error {
  override name = 'RuleChangeRefused'
}

/** Somebody else has changed the rules since they were read: with this version, which is newer. */
export class RulesChangedMeanwhile extends RuleChangeRefused {
  override name = 'RulesChangedMeanwhile'
  readonly version: number
  constructor(message: string, version: number) {
    super(message)
    this.version = version
  }
}

/** Where rules are stored, and the keys that open them. */
export interface RuleStore {
  database: Database
  tenantKeyring: TenantKeyring
}

/** The rules of a version. @throws RuleChangeRefused when the version does not exist */
export async function readVersion(store: RuleStore, tenantId: string, version: number): Promise<RuleSet> {
  if (version === defaultVersion) return defaultRules
  return readRuleSet(await contentOf(store, tenantId, version), { isStored: true }).ruleSet
}

/** Velocities have a column of their own: a server that does not know them still uses the rules that do not read any. */
export async function contentOf(
  { database, tenantKeyring }: RuleStore,
  tenantId: string,
  version: number,
): Promise<unknown> {
  const row = await findRuleSet(database, tenantId, version)
  if (!row) throw new RuleChangeRefused(`there is no version ${version}; ringfence rules list shows all`)
  const keys = await tenantKeyring.keysOf(tenantId)
  const content = JSON.parse(keys.open(row.sealed, contextOf(tenantId, version)))
  if (!row.sealedVelocities) return content
  return { ...content, velocity: JSON.parse(keys.open(row.sealedVelocities, velocitiesContext(tenantId, version))) }
}

/** What the sealed columns of a version are bound to. */
export const contextOf = (tenantId: string, version: number) => `rule_set ${tenantId} ${version}`
export const velocitiesContext = (tenantId: string, version: number) => `rule_set_velocities ${tenantId} ${version}`
export const noteContext = (tenantId: string) => `rule_change ${tenantId}`
