// Which part of an input do rules read? A backtest of a million sessions carries only that part from thread to thread.

import { infinityAsWritten } from '../../core/json/numbers.ts'
import { pathsIn } from '../language/condition.ts'
import { openParts } from '../language/paths.ts'
import type { RuleSet } from '../language/rule.ts'
import { requirementPaths } from '../requirements/required.ts'
import { pathsOfVelocity } from '../velocities/compile-velocity.ts'

/** Every path that these rule sets read, also by velocities, lists and requirements. */
export const pathsReadBy = (sets: readonly RuleSet[]): string[] => [
  ...new Set(
    sets.flatMap(({ rules, velocities = [] }) => [
      ...rules.flatMap(({ when }) => pathsIn(when)),
      ...velocities.flatMap(pathsOfVelocity),
      ...requirementPaths,
    ]),
  ),
]

/** Members by name, each whole or in part. A Map, because integrators choose names, even `__proto__`. */
type Members = Map<string, Members | undefined>

/** Takes from the JSON of an input what is under these paths: the JSON of an input in which any other path is absent. */
export function projectionOf(paths: readonly string[]): (json: string) => string {
  const members: Members = new Map()
  for (const path of paths) {
    let within = members
    const names = namesOf(path)
    for (const [place, name] of names.entries()) {
      const isLast = place === names.length - 1
      const below = within.get(name) ?? (isLast ? undefined : new Map())
      within.set(name, below)
      if (below) within = below
    }
  }
  return (json) => JSON.stringify(taken(JSON.parse(json), members))
}

/** The key of an open part may contain dots. */
function namesOf(path: string): string[] {
  const open = openParts.find(({ prefix }) => path.startsWith(prefix))
  return open ? [...open.prefix.slice(0, -1).split('.'), path.slice(open.prefix.length)] : path.split('.')
}

function taken(from: Readonly<Record<string, unknown>>, members: Members): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, below] of members) {
    if (!Object.hasOwn(from, name)) continue
    const value = from[name]
    const part = below && isObject(value) ? taken(value, below) : infinityAsWritten(value)
    // An assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(result, name, { value: part, enumerable: true })
    else result[name] = part
  }
  return result
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
