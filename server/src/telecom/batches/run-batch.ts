// How is a batch checked? Part after part, some at the same time; each number once, also when a server is killed.

import { failures } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Turns } from '../../core/heavy-work/turns.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import type { TelecomNeeds } from '../room.ts'
import { type PartRow, readParts } from '../store/batch-parts.ts'
import { endStatement, renewStatement } from '../store/batches.ts'
import { answerLine, type LineResources, NotChecked } from './answer-line.ts'
import {
  type BatchHead,
  numberIn,
  openHead,
  openResults,
  type Progress,
  progressOf,
  type StoredResult,
} from './batch-record.ts'
import { type ClaimedRow, HeldClaim } from './held-claim.ts'
import { ClaimLost, type Journal, journal } from './journal.ts'
import { patience } from './patience.ts'
import { addResults, invalidLine } from './progress.ts'

/** A part that waits for its last numbers must not hold up the others. */
const partsAtOnce = 4
/** After so many parts, a batch goes to the end of the line when those of other tenants wait. */
const partsOfTurn = 8
/** Numbers that begin without a pause for live traffic. */
const linesAtOnce = 8
/** Results of earlier parts, for numbers that come again. */
const rememberedParts = 32

interface RunResources {
  readonly needs: TelecomNeeds
  readonly turns: Turns
  readonly isClosing: () => boolean
  /** Whether batches of tenants wait that have no place on this server. */
  readonly othersWait: () => Promise<boolean>
}

/**
 * Runs a claimed batch to its end, or until the server closes or loses it, or others wait.
 * @returns whether it has to go on later, and no longer needs its claim
 */
export async function runBatch(row: ClaimedRow, resources: RunResources): Promise<boolean> {
  const { needs, isClosing } = resources
  const keys = await needs.tenantKeyring.keysOf(row.tenantId)
  const head = openHead(row, keys)
  const claim = new HeldClaim(row, head.clientId, needs, isClosing)
  const run = new BatchRun({ row, head, keys, claim }, resources)
  claim.hold()
  try {
    const isDone = await run.eachPart()
    if (!isDone || claim.stopped() === 'closing') return !claim.isLost
    await run.end()
    return false
  } catch (error) {
    if (!(error instanceof ClaimLost || error instanceof NotChecked)) throw error
    return isClosing() && !claim.isLost
  } finally {
    claim.letGo()
    await run.settled()
  }
}

interface OpenedBatch {
  readonly row: ClaimedRow
  readonly head: BatchHead
  readonly keys: TenantKeys
  readonly claim: HeldClaim
}

class BatchRun {
  readonly #batch: OpenedBatch
  readonly #resources: RunResources
  readonly #lineResources: LineResources
  readonly #startedAt = performance.now()
  readonly #doneBefore: number
  readonly #running = new Map<number, Promise<void>>()
  readonly #remembered = new Map<number, readonly (StoredResult | null)[]>()
  #progress: Progress
  #finishing: Promise<unknown> = Promise.resolve()

  constructor(batch: OpenedBatch, resources: RunResources) {
    const { needs, turns } = resources
    const { row, head, claim } = batch
    const stopped = () => claim.stopped()
    this.#batch = batch
    this.#resources = resources
    this.#lineResources = {
      ...{ needs, tenantId: row.tenantId, head, turns, stopped },
      patience: patience(() => stopped() !== undefined),
    }
    this.#progress = progressOf(row)
    this.#doneBefore = this.#progress.done
  }

  /** Those that are not done, in their order, `partsAtOnce` at a time. @returns false when others go first */
  async eachPart(): Promise<boolean> {
    const { row, claim } = this.#batch
    const running = this.#running
    const isOurs = () => claim.stopped() !== 'closing'
    let failure: unknown
    let begun = 0
    let isOver = false
    for (let from = this.#progress.next; from < row.parts && failure === undefined && isOurs(); ) {
      isOver = begun >= partsOfTurn && (await this.#resources.othersWait())
      if (isOver) break
      const parts = await this.#readParts(from, partsAtOnce)
      if (parts.length === 0) throw new ClaimLost()
      for (const part of parts) {
        if (part.isDone) continue
        while (running.size >= partsAtOnce) await Promise.race(running.values())
        if (failure !== undefined || !isOurs()) break
        const task = this.#runPart(part)
          .catch((error) => {
            failure ??= error
          })
          .finally(() => running.delete(part.part))
        running.set(part.part, task)
        begun++
      }
      from = parts.at(-1)!.part + 1
    }
    await Promise.all(running.values())
    if (failure !== undefined) throw failure
    return !isOver
  }

  /** All parts are done: the batch is, too. */
  async end(): Promise<void> {
    const { row, head, claim } = this.#batch
    const { events, database, clock } = this.#resources.needs
    const { linesPerSecond: _, ...final } = this.#progress
    const { answered, failed, invalid, cost, errors } = final
    const isWhole = errors[failures.batchCanceled.errorCode] === undefined
    const state = claim.isCanceled && !isWhole ? ('canceled' as const) : ('completed' as const)
    const batchId = uuidText(row.id)
    const event = {
      type: 'telecom.batch.completed',
      data: {
        ...{ batchId, status: state, total: row.lines, answered, failed, invalid },
        cost,
        by: head.clientId,
      },
      orderedBy: `batch ${batchId}`,
    } as const
    const statements = await events.statements(row.tenantId, [event])
    await database.batch([
      endStatement(row, { state, now: clock.now(), progress: JSON.stringify(final) }),
      ...statements,
    ])
  }

  /** No part is being checked any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values())
  }

  async #runPart(part: PartRow): Promise<void> {
    const { row, keys, claim } = this.#batch
    const { needs, turns } = this.#resources
    const { tenantId, id } = row
    const work = journal(part, {
      ...{ database: needs.database, keys },
      stillOurs: () => claim.stillOurs(),
      renewal: () => renewStatement(row, claim.until()),
    })
    const stored = await needs.telecom.answers.stored(tenantId, numbersIn(work))
    const tasks: Promise<void>[] = []
    const failures: unknown[] = []
    for (const [place, line] of work.lines.entries()) {
      if (work.results[place] !== null) continue
      if (line.m !== undefined) work.note(place, invalidLine(line.m))
      else if (line.n !== undefined && !line.d) {
        const asked = {
          ...{ phoneNumber: line.n, correlator: `${uuidText(id)}-${line.l}`, wasAsked: work.wasAsked(place), stored },
          noteAsking: () => work.noteAsking(place),
        }
        const task = answerLine(asked, this.#lineResources).then((result) => work.note(place, result))
        tasks.push(task.catch((error) => void failures.push(error)))
        if (tasks.length % linesAtOnce === 0) await turns.breathe()
      }
    }
    await Promise.all(tasks)
    const [failure] = failures
    if (failure !== undefined) {
      // What was answered until now must not be asked again.
      await work.flush().catch(() => undefined)
      throw failure
    }
    await this.#addDuplicates(work, part.part)
    await this.#finished(work, part.part)
  }

  async #addDuplicates(work: Journal, part: number): Promise<void> {
    for (const [place, { d }] of work.lines.entries()) {
      if (!d || work.results[place] !== null) continue
      const [firstPart, firstPlace] = d
      const results = firstPart === part ? work.results : await this.#resultsOf(firstPart)
      const { k: _, ...result } = results[firstPlace]!
      work.note(place, result)
    }
  }

  async #resultsOf(part: number): Promise<readonly (StoredResult | null)[]> {
    await this.#running.get(part)
    let results = this.#remembered.get(part)
    if (!results) {
      const [row] = await this.#readParts(part, 1)
      // The part before failed, so this one is done again with it.
      if (!row?.isDone) throw new NotChecked()
      results = openResults(row, this.#batch.keys)
    }
    this.#remember(part, results)
    return results
  }

  #readParts(from: number, limit: number): Promise<PartRow[]> {
    const { tenantId, id: batchId } = this.#batch.row
    return readParts(this.#resources.needs.database, { tenantId, batchId, from, limit })
  }

  #remember(part: number, results: readonly (StoredResult | null)[]): void {
    const remembered = this.#remembered
    remembered.delete(part)
    remembered.set(part, results)
    for (const oldest of remembered.keys()) {
      if (remembered.size <= rememberedParts) break
      remembered.delete(oldest)
    }
  }

  /** One at a time: each adds to the progress of those before. */
  #finished(work: Journal, part: number): Promise<void> {
    const write = async () => {
      let next = this.#progress
      await work.finish(() => {
        next = this.#progressWith(work, part)
        return renewStatement(this.#batch.row, this.#batch.claim.until(), JSON.stringify(next))
      })
      this.#progress = next
      this.#remember(part, work.results)
    }
    const writing = this.#finishing.catch(() => undefined).then(write)
    this.#finishing = writing
    return writing
  }

  #progressWith(work: Journal, part: number): Progress {
    const seconds = (performance.now() - this.#startedAt) / 1000
    const rate = (this.#progress.done - this.#doneBefore + work.lines.length) / seconds
    const others = [...this.#running.keys()].filter((other) => other !== part)
    return {
      ...addResults(this.#progress, work, this.#resources.needs.telecom.costs.currency),
      linesPerSecond: Math.round(rate * 10) / 10,
      next: Math.min(...others, Math.max(part, ...others) + 1),
    }
  }
}

const numbersIn = ({ lines }: Pick<Journal, 'lines'>): string[] => [
  ...new Set(lines.flatMap(({ n, d }) => (n === undefined || d ? [] : [numberIn(n)]))),
]
