// What would rules have read of a previous session? Its input, with velocities counted again as if the rule set had always been there.

import type { InList } from '../language/list.ts'
import type { RuleSet } from '../language/rule.ts'
import type { RuleInput } from '../language/vocabulary.ts'
import { compileVelocities } from '../velocities/compile-velocity.ts'
import { NotReplayable, VelocityReplay } from '../velocities/replay.ts'
import { idOf, type StoredReport } from './stored-report.ts'

/**
 * Only decisions count, and only they have velocities, as on a server. Everything else a rule reads is what was known then, except
 * what lists have lost since then.
 */
export class ReplayedInputs {
  readonly #names: readonly (readonly string[])[]
  readonly #replay: VelocityReplay | undefined
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(sets: readonly RuleSet[]) {
    this.#names = sets.map(({ velocities = [] }) => velocities.map(({ name }) => name))
    const compiled = sets.map(({ velocities = [] }) => compileVelocities(velocities))
    if (compiled.some(({ length }) => length > 0)) this.#replay = new VelocityReplay(compiled)
  }

  /** The input for each rule set. @throws NotReplayable when decisions are not in the order of their time */
  of(report: StoredReport, inList?: InList): readonly RuleInput[] {
    const { input, decisionId, at } = report
    if (!this.#replay) return this.#names.map(() => input)
    if (decisionId === undefined) return this.#names.map((names) => withVelocities(input, names, {}))
    if (at === undefined) throw new NotReplayable(`decision ${idOf(report)} has no time: velocities need "at"`)
    if (at < this.#lastAt) {
      throw new NotReplayable(
        `decision ${idOf(report)} is earlier than the one before it: velocities need them in the order of "at"`,
      )
    }
    this.#lastAt = at
    const values = this.#replay.next(input, at, inList)
    return this.#names.map((names, set) => withVelocities(input, names, values[set]!))
  }
}

/** The values of the rules that decided then are not those of these rules. */
function withVelocities(
  input: RuleInput,
  names: readonly string[],
  values: Readonly<Record<string, number>>,
): RuleInput {
  if (names.length === 0) return input
  const velocity: Record<string, unknown> = { ...input.velocity }
  for (const name of names) velocity[name] = values[name]
  return { ...input, velocity }
}
