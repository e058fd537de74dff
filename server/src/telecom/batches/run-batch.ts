// How is a batch checked? Part after part, some at the same time; each number once, also when a server is killed.

import { failures } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import type { Turns } from '../../core/heavy-work/turns.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import type { TelecomNeeds } from '../room.ts'
import { type PartRow, readParts } from '../store/batch-parts.ts'
import { type BatchRow, type Claimed, endStatement, renewClaim, renewStatement } from '../store/batches.ts'
import { answerLine, type LineResources, NotChecked } from './answer-line.ts'
import {
  numberIn,
  openHead,
  openResults,
  type Progress,
  progressOf,
  type StoredLine,
  type StoredResult,
} from './batch-record.ts'
import { ClaimLost, type Journal, journal } from './journal.ts'
import { patience } from './patience.ts'
import { addResults, invalidLine } from './progress.ts'

/** After this long without a word of its server, another one goes on with a batch. */
export const claimMs = 10_000
/** Also how soon a cancellation is noticed. */
const renewMs = 500
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
export async function runBatch(
  row: BatchRow & { readonly claim: Uint8Array },
  resources: RunResources,
): Promise<boolean> {
  const { needs, turns, isClosing, othersWait } = resources
  const { database, clock, log, tenantKeyring } = needs
  const { tenantId, id } = row
  const claimed: Claimed = { tenantId, id, claim: row.claim }
  const keys = await tenantKeyring.keysOf(tenantId)
  const head = openHead(row, keys)
  let progress = progressOf(row)
  let isCanceled = row.state === 'canceling'
  let isLost = false
  const until = () => clock.now() + claimMs
  const stillOurs = async () => {
    const [state, isAdmitted] = await Promise.all([renewClaim(database, claimed, until()), isClientAdmitted()])
    isLost ||= state === undefined
    isCanceled ||= state === 'canceling' || !isAdmitted
    return !isLost
  }
  /** Who revokes a client wants nothing more paid in its name. */
  const isClientAdmitted = async () => {
    try {
      return (await needs.clients.live(head.clientId)) !== undefined
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }
  const renewing = setInterval(() => {
    stillOurs().catch((error) => log.warn({ err: error }, 'cannot renew the claim of a batch'))
  }, renewMs)
  renewing.unref()

  const stopped = () => (isLost || isClosing() ? 'closing' : isCanceled ? 'canceled' : undefined)
  const lineResources: LineResources = {
    ...{ needs, tenantId, head, turns, stopped },
    patience: patience(() => stopped() !== undefined),
  }
  const startedAt = performance.now()
  const doneBefore = progress.done
  const running = new Map<number, Promise<void>>()
  const remembered = new Map<number, readonly (StoredResult | null)[]>()
  let finishing: Promise<unknown> = Promise.resolve()

  try {
    const isDone = await eachPart((part) => runPart(part))
    if (!isDone || stopped() === 'closing') return !isLost
    const isWhole = progress.errors[failures.batchCanceled.errorCode] === undefined
    const state = isCanceled && !isWhole ? 'canceled' : 'completed'
    const event = await needs.events.statements(tenantId, [endEvent(state)])
    const { linesPerSecond: _, ...final } = progress
    await database.batch([
      endStatement(claimed, { state, now: clock.now(), progress: JSON.stringify(final) }),
      ...event,
    ])
    return false

    function endEvent(status: 'canceled' | 'completed') {
      const { answered, failed, invalid, cost } = progress
      return {
        type: 'telecom.batch.completed' as const,
        data: {
          ...{ batchId: uuidText(id), status, total: row.lines, answered, failed, invalid },
          ...(cost && { cost }),
          by: head.clientId,
        },
        orderedBy: `batch ${uuidText(id)}`,
      }
    }
  } catch (error) {
    if (!(error instanceof ClaimLost || error instanceof NotChecked)) throw error
    return isClosing() && !isLost
  } finally {
    clearInterval(renewing)
    await Promise.allSettled(running.values())
  }

  /** Those that are not done, in their order, `partsAtOnce` at a time. @returns false when others go first */
  async function eachPart(run: (part: PartRow) => Promise<void>): Promise<boolean> {
    let failure: unknown
    let begun = 0
    let isOver = false
    for (let from = progress.next; from < row.parts && failure === undefined && !isLost && !isClosing(); ) {
      isOver = begun >= partsOfTurn && (await othersWait())
      if (isOver) break
      const parts = await readParts(database, { tenantId, batchId: id, from, limit: partsAtOnce })
      if (parts.length === 0) throw new ClaimLost()
      for (const part of parts) {
        if (part.isDone) continue
        while (running.size >= partsAtOnce) await Promise.race(running.values())
        if (failure !== undefined || isLost || isClosing()) break
        const task = run(part)
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

  async function runPart(part: PartRow): Promise<void> {
    const work = journal(part, {
      ...{ database, keys, stillOurs },
      renewal: () => renewStatement(claimed, until()),
    })
    const stored = await needs.telecom.answers.stored(tenantId, numbersIn(work))
    const correlator = (line: StoredLine) => `${uuidText(id)}-${line.l}`
    const tasks: Promise<void>[] = []
    const failures: unknown[] = []
    for (const [place, line] of work.lines.entries()) {
      if (work.results[place] !== null) continue
      if (line.m !== undefined) work.note(place, invalidLine(line.m))
      else if (line.n !== undefined && !line.d) {
        const asked = {
          ...{ phoneNumber: line.n, correlator: correlator(line), wasAsked: work.wasAsked(place), stored },
          noteAsking: () => work.noteAsking(place),
        }
        const task = answerLine(asked, lineResources).then((result) => work.note(place, result))
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
    await addDuplicates(work, part.part)
    await finished(work, part.part)
  }

  async function addDuplicates(work: Journal, part: number): Promise<void> {
    for (const [place, { d }] of work.lines.entries()) {
      if (!d || work.results[place] !== null) continue
      const [firstPart, firstPlace] = d
      const results = firstPart === part ? work.results : await resultsOf(firstPart)
      const { k: _, ...result } = results[firstPlace]!
      work.note(place, result)
    }
  }

  async function resultsOf(part: number): Promise<readonly (StoredResult | null)[]> {
    await running.get(part)
    let results = remembered.get(part)
    if (!results) {
      const [row] = await readParts(database, { tenantId, batchId: id, from: part, limit: 1 })
      // The part before failed, so this one is done again with it.
      if (!row?.isDone) throw new NotChecked()
      results = openResults(row, keys)
    }
    remember(part, results)
    return results
  }

  function remember(part: number, results: readonly (StoredResult | null)[]): void {
    remembered.delete(part)
    remembered.set(part, results)
    for (const oldest of remembered.keys()) {
      if (remembered.size <= rememberedParts) break
      remembered.delete(oldest)
    }
  }

  /** One at a time: each adds to the progress of those before. */
  function finished(work: Journal, part: number): Promise<void> {
    const write = async () => {
      let next: Progress = progress
      await work.finish(() => {
        const rate = (progress.done - doneBefore + work.lines.length) / ((performance.now() - startedAt) / 1000)
        next = {
          ...addResults(progress, work, needs.telecom.costs.currency),
          linesPerSecond: Math.round(rate * 10) / 10,
        }
        const others = [...running.keys()].filter((other) => other !== part)
        next = { ...next, next: Math.min(...others, Math.max(part, ...others) + 1) }
        return renewStatement(claimed, until(), JSON.stringify(next))
      })
      progress = next
      remember(part, work.results)
    }
    const writing = finishing.catch(() => undefined).then(write)
    finishing = writing
    return writing
  }
}

const numbersIn = ({ lines }: Pick<Journal, 'lines'>): string[] => [
  ...new Set(lines.flatMap(({ n, d }) => (n === undefined || d ? [] : [numberIn(n)]))),
]
