// Whose draft is it, and what is it based on? A draft has a name; each save of it is a version.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import {
  deleteRuleDraft,
  insertRuleDraft,
  moveRuleDraft,
  type RuleDraftRow,
  ruleDraftsOf,
} from '../store/rule-drafts.ts'
import { RuleChangeRefused, type RuleStore, RulesChangedMeanwhile } from '../stored-version.ts'

export interface NamedDraft extends Pick<RuleDraftRow, 'number' | 'version' | 'basedOn' | 'owner'> {
  readonly name: string
  readonly ownerName: string
}

/** What a person saves: a new draft, or the next version of one. */
export interface SavedAs {
  readonly name: string
  /** Id of who saves. */
  readonly owner: string
  readonly ownerName: string
}

/** More would be a list that nobody reads. */
const mostDrafts = 100

export const draftContext = (tenantId: string, number: number) => `rule_draft ${tenantId} ${number}`

async function namedDraftsOf(database: Queryable, tenantId: string, keys: TenantKeys): Promise<NamedDraft[]> {
  const rows = await ruleDraftsOf(database, tenantId)
  return rows.map(({ sealed, number, version, basedOn, owner }) => ({
    ...{ number, version, basedOn, owner },
    ...(JSON.parse(keys.open(sealed, draftContext(tenantId, number))) as Pick<NamedDraft, 'name' | 'ownerName'>),
  }))
}

/** Drafts with a name, oldest first. */
export const draftsOf = async ({ database, tenantKeyring }: RuleStore, tenantId: string): Promise<NamedDraft[]> =>
  namedDraftsOf(database, tenantId, await tenantKeyring.keysOf(tenantId))

/** Takes a draft from the list. Its versions stay. */
export const discardDraft = ({ database }: Pick<RuleStore, 'database'>, tenantId: string, version: number) =>
  deleteRuleDraft(database, tenantId, version)

interface Saving {
  readonly tenantId: string
  readonly keys: TenantKeys
  readonly savedAs: SavedAs
  /** The version that was edited. */
  readonly basedOn: number
  /** The number of the version that is stored. */
  readonly version: number
}

/**
 * Notes a version as the newest one of a draft, which begins where none has this name. @throws RulesChangedMeanwhile when the newest
 * version of the draft is not the one that was edited
 */
export async function saveNamedDraft(tx: Queryable, saving: Saving): Promise<void> {
  const { tenantId, keys, savedAs, basedOn, version } = saving
  const { name, owner, ownerName } = savedAs
  const drafts = await namedDraftsOf(tx, tenantId, keys)
  const same = drafts.find((draft) => draft.name === name)
  if (same) {
    if (same.version !== basedOn) throw new RulesChangedMeanwhile(takenText(same, basedOn), same.version)
    return moveRuleDraft(tx, { tenantId, number: same.number, version })
  }
  if (basedOn >= version) throw new RuleChangeRefused(`there is no version ${basedOn}; ringfence rules list shows all`)
  if (drafts.length >= mostDrafts) throw new RuleChangeRefused(`there are ${mostDrafts} drafts: discard one`)
  const number = Math.max(0, ...drafts.map((draft) => draft.number)) + 1
  const sealed = keys.seal(JSON.stringify({ name, ownerName }), draftContext(tenantId, number))
  await insertRuleDraft(tx, { tenantId, number, version, basedOn, owner, sealed })
}

const takenText = ({ name, ownerName, version }: NamedDraft, basedOn: number) =>
  `the draft “${name}” of ${ownerName} is version ${version} now, not version ${basedOn}; save under another name`
