// Who may make rules live? One person asks, another one agrees. Both have to be people: a key has no face.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { replacedByLive } from '../../rules/publishing/stage-history.ts'
import { type Impact, impactOf, isGrave, type Warning } from './impact.ts'
import type { ReplayResources } from './replay.ts'
import type { RuleChangesNeeds } from './room.ts'
import {
  decidePublication,
  findPublication,
  findSecondPerson,
  insertPublication,
  listPublications,
  nextPublication,
  type PublicationRow,
  type PublicationState,
  putSecondPerson,
  type SecondPerson,
} from './store/publications.ts'

/** A person who may do something with a request. */
export interface Publisher {
  readonly personId: string
  readonly name: string
  readonly tenantId: string
  /** Whether this person may publish rules at all, rather than only ask. */
  readonly mayPublish: boolean
  /** Other people of the tenant who may publish. */
  readonly others: readonly string[]
}

export interface Publication
  extends Pick<PublicationRow, 'number' | 'version' | 'insteadOf' | 'state' | 'requestedAt' | 'requestedBy'> {
  readonly requestedByName: string
  readonly note: string
  readonly warnings: readonly Warning[]
  readonly decidedAt?: number
  readonly decidedByName?: string
  readonly decisionNote?: string
  /** Published without a second person. */
  readonly isAlone: boolean
}

/**
 * What has to happen before a version is live. `rollBack`: this person confirms, since the version was live just before. `alone`: this
 * person confirms, since nobody else may. `nobody`: nobody may agree; invite a second publisher.
 */
export type Agreement = 'anotherPerson' | 'alone' | 'rollBack' | 'nobody'

export interface Preview extends Impact {
  readonly version: number
  readonly insteadOf: number
  readonly agreement: Agreement
}

type Resources = ReplayResources & Pick<RuleChangesNeeds, 'rules'>

interface Content {
  readonly name: string
  readonly note: string
  readonly warnings: Warning[]
}
type DecisionContent = Pick<Content, 'name' | 'note'>

export const publicationContext = (tenantId: string, number: number) => `rule_publication ${tenantId} ${number}`
export const publicationDecisionContext = (tenantId: string, number: number) =>
  `rule_publication_decision ${tenantId} ${number}`

const mostListed = 50
/** One person rolls back while the version that was live before is this fresh. */
export const rollBackMs = 7 * 86_400_000

export class Publications {
  readonly #resources: Resources

  constructor(resources: Resources) {
    this.#resources = resources
  }

  /** What publishing a version would do, and who has to agree. @throws RuleChangeRefused for an unknown version */
  async preview(publisher: Publisher, version: number, signal?: AbortSignal): Promise<Preview> {
    const { database, rules } = this.#resources
    const { tenantId, mayPublish, others } = publisher
    const insteadOf = (await rules.versions(tenantId)).find(({ stages }) => stages.includes('live'))!.version
    const [wanted, live] = [await rules.read(tenantId, version), await rules.read(tenantId, insteadOf)]
    const wasTried = await rules.wasTried(tenantId, version)
    const impact = await impactOf(this.#resources, tenantId, { rules: wanted, live, wasTried }, signal)
    if (mayPublish && (await this.#isRollBack(tenantId, version, impact))) {
      return { version, insteadOf, agreement: 'rollBack', ...impact }
    }
    const isAlone = mayPublish && others.length === 0
    const mayBeAlone =
      isAlone && !impact.warnings.some(isGrave) && (await findSecondPerson(database, tenantId)) !== 'always'
    const agreement = mayBeAlone ? 'alone' : others.length > 0 ? 'anotherPerson' : 'nobody'
    return { version, insteadOf, agreement, ...impact }
  }

  /** To the version that was live before, within seven days, unless it would block everybody. */
  async #isRollBack(tenantId: string, version: number, { warnings }: Impact): Promise<boolean> {
    const { database, clock } = this.#resources
    const replaced = await replacedByLive(database, tenantId)
    if (replaced?.version !== version || clock.now() - replaced.at > rollBackMs) return false
    return !warnings.some(({ kind }) => kind === 'blocksEverybody')
  }

  /**
   * Asks for a version to be live, also for an earlier one. With `alone`, the only publisher of a tenant makes it live at once, and any
   * publisher rolls back. Refuses with `secondPersonNeeded`.
   */
  async request(
    publisher: Publisher,
    { version, note, alone = false }: { version: number; note: string; alone?: boolean | undefined },
    signal?: AbortSignal,
  ): Promise<Publication> {
    const { database, tenantKeyring, clock, rules } = this.#resources
    const { tenantId, personId, name } = publisher
    await rules.refuseOverBudget(tenantId, version)
    const { insteadOf, agreement, warnings } = await this.preview(publisher, version, signal)
    refuseWithoutAgreement(publisher, agreement, alone)
    const keys = await tenantKeyring.keysOf(tenantId)
    const content: Content = { name, note, warnings: [...warnings] }
    let number = 0
    const insert = async (tx: Queryable) => {
      number = await nextPublication(tx, tenantId)
      const sealed = keys.seal(JSON.stringify(content), publicationContext(tenantId, number))
      const ids = { tenantId, number, version, insteadOf, requestedBy: personId }
      await insertPublication(tx, { ...ids, requestedAt: clock.now(), sealed })
    }
    if (alone) {
      const also = async (tx: Queryable) => {
        await insert(tx)
        await this.#decide(tx, keys, publisher, { number, state: 'published', note: '' })
      }
      const author = { by: `${name} (${agreement === 'rollBack' ? 'rolled back' : 'alone'})`, note }
      await rules.live(tenantId, version, author, { untried: true, instead: insteadOf, also })
    } else await database.transaction(insert)
    return this.#shown(await this.#found(tenantId, number))
  }

  /** Makes it live. Refuses with `secondPersonNeeded` the person who asked, and with `publicationUnknown`. */
  async approve(publisher: Publisher, number: number, note: string): Promise<Publication> {
    const { tenantKeyring, rules } = this.#resources
    const { tenantId, personId, name } = publisher
    const row = await this.#open(tenantId, number)
    if (row.requestedBy === personId) {
      throw new Refusal('secondPersonNeeded', { mistake: 'you asked for it; another person has to approve' })
    }
    const { requestedByName, note: why } = await this.#shown(row)
    const keys = await tenantKeyring.keysOf(tenantId)
    const also = (tx: Queryable) => this.#decide(tx, keys, publisher, { number, state: 'published', note })
    const author = { by: `${requestedByName}, approved by ${name}`, note: why }
    await rules.live(tenantId, row.version, author, { untried: true, instead: row.insteadOf, also })
    return this.#shown(await this.#found(tenantId, number))
  }

  /** Ends a request: withdrawn by the person who asked, else rejected. */
  async reject(publisher: Publisher, number: number, note: string): Promise<Publication> {
    const { database, tenantKeyring } = this.#resources
    const { tenantId, personId, mayPublish } = publisher
    const keys = await tenantKeyring.keysOf(tenantId)
    const row = await this.#open(tenantId, number)
    const isOwn = row.requestedBy === personId
    if (!isOwn && !mayPublish) {
      throw new Refusal('permissionMissing', { mistake: 'only who asked, or a person with rules.publish' })
    }
    const state = isOwn ? 'withdrawn' : 'rejected'
    await database.transaction((tx) => this.#decide(tx, keys, publisher, { number, state, note }))
    return this.#shown(await this.#found(tenantId, number))
  }

  async #open(tenantId: string, number: number): Promise<PublicationRow> {
    const row = await this.#found(tenantId, number)
    if (row.state !== 'open') throw new Refusal('publicationUnknown')
    return row
  }

  async #found(tenantId: string, number: number): Promise<PublicationRow> {
    const row = await findPublication(this.#resources.database, tenantId, number)
    if (!row) throw new Refusal('publicationUnknown')
    return row
  }

  /** Records a decision. Two people who decide at once: the second one is refused. */
  async #decide(
    tx: Queryable,
    keys: TenantKeys,
    { tenantId, personId, name }: Publisher,
    { number, state, note }: { number: number; state: PublicationState; note: string },
  ): Promise<void> {
    const decidedAt = this.#resources.clock.now()
    const sealedDecision = keys.seal(JSON.stringify({ name, note }), publicationDecisionContext(tenantId, number))
    const row = { tenantId, number, state, decidedAt, decidedBy: personId, sealedDecision }
    if (!(await decidePublication(tx, row))) throw new Refusal('publicationUnknown')
  }

  async #shown(row: PublicationRow): Promise<Publication> {
    const { tenantId, number, sealed, sealedDecision, decidedAt, decidedBy, requestedBy } = row
    const keys = await this.#resources.tenantKeyring.keysOf(tenantId)
    const { name, note, warnings }: Content = JSON.parse(keys.open(sealed, publicationContext(tenantId, number)))
    const decision: DecisionContent | undefined =
      sealedDecision && JSON.parse(keys.open(sealedDecision, publicationDecisionContext(tenantId, number)))
    return {
      ...{ number, version: row.version, insteadOf: row.insteadOf, state: row.state },
      ...{ requestedAt: row.requestedAt, requestedBy, requestedByName: name, note, warnings },
      ...(decidedAt !== null && { decidedAt }),
      ...(decision && { decidedByName: decision.name, decisionNote: decision.note }),
      isAlone: row.state === 'published' && decidedBy === requestedBy,
    }
  }

  /** Newest first. */
  async list(tenantId: string): Promise<Publication[]> {
    const rows = await listPublications(this.#resources.database, tenantId, mostListed)
    return Promise.all(rows.map((row) => this.#shown(row)))
  }

  policy(tenantId: string): Promise<SecondPerson> {
    return findSecondPerson(this.#resources.database, tenantId)
  }

  setPolicy(tenantId: string, secondPerson: SecondPerson): Promise<void> {
    return putSecondPerson(this.#resources.database, tenantId, secondPerson)
  }
}

function refuseWithoutAgreement({ others }: Publisher, agreement: Agreement, alone: boolean): void {
  const mayConfirm = agreement === 'alone' || agreement === 'rollBack'
  if (mayConfirm ? alone || others.length > 0 : agreement === 'anotherPerson' && !alone) return
  throw new Refusal('secondPersonNeeded', {
    mistake: mayConfirm
      ? 'nobody else may approve; send alone: true to confirm'
      : agreement === 'nobody'
        ? 'nobody else may publish rules; invite a second person with the role admin'
        : 'another person who may publish rules has to approve; send the request without alone',
  })
}
