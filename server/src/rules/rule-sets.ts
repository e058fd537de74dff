// Which rules apply to a tenant now? Caches its compiled live and shadow versions, and moves versions from draft to live.

import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import type { Events } from '../core/event-recorder.ts'
import type { Queryable } from '../core/storage/database.ts'
import { writeEvents } from '../events/events.ts'
import { defaultRules } from './defaults/default-rules.ts'
import { type SavedAs, saveNamedDraft } from './editing/named-drafts.ts'
import type { ListRead } from './language/list.ts'
import type { RuleSet } from './language/rule.ts'
import { type LoadedRules, loadedRules } from './loaded-rules.ts'
import { costOf, overBudget } from './publishing/budget.ts'
import { mistakeText, readRuleSet, writtenRuleSet } from './rule-set.ts'
import { listsOf } from './store/lists.ts'
import { deleteRuleDraft } from './store/rule-drafts.ts'
import {
  endRuleStage,
  findRuleSet,
  insertRuleChange,
  insertRuleSet,
  lastShadowChange,
  listRuleChanges,
  listRuleSets,
  newestRuleSetVersion,
  putRuleStage,
  type RuleChangeRow,
  type RuleStage,
  ruleStagesOf,
  wasInStage,
} from './store/rule-sets.ts'
import {
  contentOf,
  contextOf,
  defaultVersion,
  noteContext,
  RuleChangeRefused,
  type RuleStore,
  RulesChangedMeanwhile,
  readVersion,
  velocitiesContext,
} from './stored-version.ts'

export interface CurrentRules {
  /** The version that decides. */
  readonly live: LoadedRules
  /** Runs in parallel with the live one. Its results are stored but not returned. */
  readonly shadow: LoadedRules | undefined
}

/** Whether the live or shadow rules read telecom data of the phone number. */
export const readTelecom = ({ live, shadow }: CurrentRules): boolean => live.readTelecom || shadow?.readTelecom === true

/** What the live and shadow rules look up in lists. */
export const listReadsOf = ({ live, shadow }: CurrentRules): readonly ListRead[] =>
  shadow ? [...live.listReads, ...shadow.listReads] : live.listReads

/** Who makes a change, and why. */
export interface ChangeAuthor {
  by: string
  note?: string
}

export interface RuleChange extends Omit<RuleChangeRow, 'sealedNote' | 'versionBefore'> {
  versionBefore: number | undefined
  note: string
}

export interface RuleVersion {
  version: number
  rules: number
  /** Absent for the rules that come with Ringfence. */
  createdAt?: number
  stages: RuleStage[]
}

export interface LiveOptions {
  /** Whether a version may decide that was never in shadow or live. */
  readonly untried?: boolean
  /** The version that must decide now. */
  readonly instead?: number
  /** More that belongs to the change. */
  readonly also?: (tx: Queryable) => Promise<void>
}

export interface RuleSetsResources extends RuleStore {
  clock: Clock
  log: Pick<Logger, 'error'>
  events: Events
}

const rereadMs = 1000
/** Tenants with a cached set. */
const mostTenants = 1000

interface Cached {
  readAt: number
  current: Promise<CurrentRules>
}

/** The versions of every tenant. Each change is one transaction with its record and its event. */
export class RuleSets {
  readonly #resources: RuleSetsResources
  readonly #cache = new Map<string, Cached>()
  readonly #defaults: LoadedRules = loadedRules(defaultVersion, defaultRules)

  constructor(resources: RuleSetsResources) {
    this.#resources = resources
  }

  /**
   * The rules that apply now, cached for a second: a change reaches every server within a second. Concurrent calls for a
   * tenant share one read.
   */
  current(tenantId: string): Promise<CurrentRules> {
    const cache = this.#cache
    const now = this.#resources.clock.now()
    const known = cache.get(tenantId)
    // A clock that was set back must not extend the cache.
    if (known && now - known.readAt < rereadMs && now >= known.readAt) return known.current
    const before = known?.current.catch(() => undefined)
    const entry: Cached = { readAt: now, current: Promise.resolve(before).then((rules) => this.#load(tenantId, rules)) }
    cache.delete(tenantId)
    cache.set(tenantId, entry)
    if (cache.size > mostTenants) cache.delete(cache.keys().next().value!)
    entry.current.catch(() => {
      if (cache.get(tenantId) === entry) cache.delete(tenantId)
    })
    return entry.current
  }

  async #load(tenantId: string, before: CurrentRules | undefined): Promise<CurrentRules> {
    const stages = await ruleStagesOf(this.#resources.database, tenantId)
    const known = [this.#defaults, before?.live, before?.shadow]
    const loaded = async (version: number) =>
      known.find((each) => each?.version === version) ?? (await this.#compiled(tenantId, version))
    const live = await loaded(stages.live ?? defaultVersion)
    return { live, shadow: stages.shadow === undefined ? undefined : await loaded(stages.shadow) }
  }

  /**
   * Skips and logs a stored rule that this version of the server cannot read, for example during an upgrade. The other rules
   * still decide.
   */
  async #compiled(tenantId: string, version: number): Promise<LoadedRules> {
    const content = await contentOf(this.#resources, tenantId, version)
    const { ruleSet, mistakes } = readRuleSet(content, { isStored: true })
    for (const mistake of mistakes) {
      const said = { tenantId, version, mistake: mistakeText(mistake) }
      this.#resources.log.error(said, 'a rule cannot be used by this version')
    }
    return loadedRules(version, ruleSet)
  }

  /** The rules of a version. @throws RuleChangeRefused when the version does not exist */
  read(tenantId: string, version: number): Promise<RuleSet> {
    return readVersion(this.#resources, tenantId, version)
  }

  /** Newest first; the rules that come with Ringfence last. */
  async versions(tenantId: string): Promise<RuleVersion[]> {
    const { database } = this.#resources
    const [rows, stages] = await Promise.all([listRuleSets(database, tenantId), ruleStagesOf(database, tenantId)])
    const inForce = { ...stages, live: stages.live ?? defaultVersion }
    const stagesOf = (version: number) =>
      (['draft', 'shadow', 'live'] as const).filter((stage) => inForce[stage] === version)
    return [...rows, { version: defaultVersion, rules: defaultRules.rules.length }].map((row) => ({
      ...row,
      stages: stagesOf(row.version),
    }))
  }

  /** Newest first. */
  async changes(tenantId: string): Promise<RuleChange[]> {
    const { database, tenantKeyring } = this.#resources
    const keys = await tenantKeyring.keysOf(tenantId)
    const rows = await listRuleChanges(database, tenantId)
    return rows.map(({ sealedNote, versionBefore, ...row }) => ({
      ...row,
      versionBefore: versionBefore ?? undefined,
      note: sealedNote ? keys.open(sealedNote, noteContext(tenantId)) : '',
    }))
  }

  /**
   * Stores a set as a new version. @returns its number. @throws RuleChangeRefused when a rule names a list that does not exist;
   * RulesChangedMeanwhile when `basedOn` is not the newest version, or with `savedAs` not the newest one of this draft
   */
  async draft(
    tenantId: string,
    rules: RuleSet,
    author: ChangeAuthor,
    { basedOn, savedAs }: { basedOn?: number; savedAs?: SavedAs } = {},
  ): Promise<number> {
    const { database, tenantKeyring, clock } = this.#resources
    const keys = await tenantKeyring.keysOf(tenantId)
    const written = writtenRuleSet(rules)
    const lists = new Map((await listsOf(database, tenantId)).map(({ name, kind }) => [name, kind]))
    // With the requirements written out: what a version requires does not change with the defaults.
    const { ruleSet, mistakes } = readRuleSet(written, { lists })
    if (mistakes[0]) throw new RuleChangeRefused(mistakeText(mistakes[0]))
    const { velocity, ...content } = writtenRuleSet(ruleSet)
    return this.#change(tenantId, author, async (tx) => {
      const [newest, stages] = [await newestRuleSetVersion(tx, tenantId), await ruleStagesOf(tx, tenantId)]
      if (basedOn !== undefined && basedOn !== newest && !savedAs) {
        throw new RulesChangedMeanwhile(`version ${newest} was stored after version ${basedOn}`, newest)
      }
      const version = newest + 1
      if (savedAs) await saveNamedDraft(tx, { tenantId, keys, savedAs, basedOn: basedOn ?? newest, version })
      const sealed = keys.seal(JSON.stringify(content), contextOf(tenantId, version))
      const sealedVelocities = velocity
        ? keys.seal(JSON.stringify(velocity), velocitiesContext(tenantId, version))
        : null
      const row = { tenantId, version, sealed, sealedVelocities, rules: rules.rules.length, createdAt: clock.now() }
      await insertRuleSet(tx, row)
      await putRuleStage(tx, tenantId, 'draft', version)
      return { change: 'draft', version, versionBefore: stages.draft }
    })
  }

  /**
   * Runs a version, or the draft, in parallel with the live one. @returns the version. @throws RulesChangedMeanwhile when another one runs
   * than `ends` says
   */
  async shadow(
    tenantId: string,
    wanted: number | undefined,
    author: ChangeAuthor,
    { ends }: { ends?: number | 'none' } = {},
  ): Promise<number> {
    await this.refuseOverBudget(tenantId, wanted ?? (await ruleStagesOf(this.#resources.database, tenantId)).draft)
    return this.#change(tenantId, author, async (tx) => {
      const { draft, shadow } = await ruleStagesOf(tx, tenantId)
      if (wanted === undefined && draft === undefined) {
        const inShadow = shadow === undefined ? '' : `version ${shadow} is in shadow already, and `
        throw new RuleChangeRefused(`${inShadow}there is no draft: make one with ringfence rules draft FILE`)
      }
      const version = await existing(tx, tenantId, wanted ?? draft!)
      if (ends !== undefined && shadow !== undefined && shadow !== version && shadow !== ends) {
        const by = (await lastShadowChange(tx, tenantId, shadow))?.changedBy ?? 'somebody'
        throw new RulesChangedMeanwhile(`version ${shadow} runs in shadow, started by ${by}`, shadow)
      }
      await putRuleStage(tx, tenantId, 'shadow', version)
      if (version === draft) await endRuleStage(tx, tenantId, 'draft')
      return { change: 'shadow', version, versionBefore: shadow }
    })
  }

  /** @returns the version that was in shadow */
  endShadow(tenantId: string, author: ChangeAuthor): Promise<number> {
    return this.#change(tenantId, author, async (tx) => {
      const { shadow } = await ruleStagesOf(tx, tenantId)
      if (shadow === undefined) throw new RuleChangeRefused('no version is in shadow')
      await endRuleStage(tx, tenantId, 'shadow')
      return { change: 'end-shadow', version: shadow, versionBefore: shadow }
    })
  }

  /**
   * Makes a version, or the one in shadow, decide. @returns the version. @throws RuleChangeRefused for one that was never tried, and
   * RulesChangedMeanwhile when `instead` is not the version that decides now
   */
  async live(
    tenantId: string,
    wanted: number | undefined,
    author: ChangeAuthor,
    { untried = false, instead, also }: LiveOptions = {},
  ): Promise<number> {
    await this.refuseOverBudget(tenantId, wanted ?? (await ruleStagesOf(this.#resources.database, tenantId)).shadow)
    return this.#change(tenantId, author, async (tx) => {
      const { draft, shadow, live } = await ruleStagesOf(tx, tenantId)
      const now = live ?? defaultVersion
      if (instead !== undefined && instead !== now) {
        throw new RulesChangedMeanwhile(`version ${now} decides now, not version ${instead}`, now)
      }
      if (wanted === undefined && shadow === undefined) {
        throw new RuleChangeRefused(
          'no version is in shadow: name one, or watch the draft first with ringfence rules shadow',
        )
      }
      const version = await existing(tx, tenantId, wanted ?? shadow!)
      if (!untried && !(await wasTried(tx, tenantId, version))) {
        throw new RuleChangeRefused(
          `version ${version} was never in shadow: watch it first with ringfence rules shadow ${version}, or use --untried`,
        )
      }
      await putRuleStage(tx, tenantId, 'live', version)
      if (version === shadow) await endRuleStage(tx, tenantId, 'shadow')
      if (version === draft) await endRuleStage(tx, tenantId, 'draft')
      await deleteRuleDraft(tx, tenantId, version)
      await also?.(tx)
      return { change: 'live', version, versionBefore: now }
    })
  }

  async #change(
    tenantId: string,
    { by, note }: ChangeAuthor,
    make: (
      tx: Queryable,
    ) => Promise<Pick<RuleChangeRow, 'change' | 'version'> & { versionBefore?: number | undefined }>,
  ): Promise<number> {
    const { database, tenantKeyring, clock, events } = this.#resources
    const keys = await tenantKeyring.keysOf(tenantId)
    const sealedNote = note ? keys.seal(note, noteContext(tenantId)) : null
    const record = await events.recorder(tenantId)
    const version = await database.transaction(async (tx) => {
      const made = await make(tx)
      const versionBefore = made.versionBefore ?? null
      const row = { ...made, versionBefore, changedAt: clock.now(), changedBy: by, sealedNote }
      await insertRuleChange(tx, tenantId, row)
      const { versionBefore: before, ...data } = made
      const event = { ...data, by, ...(before !== undefined && { versionBefore: before }) }
      await writeEvents(tx, record([{ type: 'rules.changed', data: event, orderedBy: 'rules', outcome: made.change }]))
      return made.version
    })
    this.#cache.delete(tenantId)
    return version
  }

  /** @throws RuleChangeRefused when a version that never decided costs more than the budget of rules; see publishing/budget.ts */
  async refuseOverBudget(tenantId: string, version: number | undefined): Promise<void> {
    const { database } = this.#resources
    if (version === undefined || version === defaultVersion) return
    if (!(await findRuleSet(database, tenantId, version))) return
    // A version that decided before the budget existed may decide again.
    if (await wasInStage(database, tenantId, 'live', version)) return
    const reason = overBudget(costOf(await readVersion(this.#resources, tenantId, version)))
    if (reason !== undefined) throw new RuleChangeRefused(`version ${version}: ${reason}`)
  }

  /** Whether a version was ever in shadow or live. The default rules were. */
  wasTried(tenantId: string, version: number): Promise<boolean> {
    return wasTried(this.#resources.database, tenantId, version)
  }
}

async function existing(tx: Queryable, tenantId: string, version: number): Promise<number> {
  if (version === defaultVersion || (await findRuleSet(tx, tenantId, version))) return version
  throw new RuleChangeRefused(`there is no version ${version}; ringfence rules list shows all`)
}

const wasTried = async (tx: Queryable, tenantId: string, version: number): Promise<boolean> =>
  version === defaultVersion ||
  (await wasInStage(tx, tenantId, 'shadow', version)) ||
  (await wasInStage(tx, tenantId, 'live', version))
