// How far does a tenant's own traffic move the weights? At most by the standard error of each, and never against its direction.

import { allParts, type Component, components, type Family } from '../identity/components.ts'
import type { Completeness } from '../identity/confidence.ts'
import { ages, type ComponentWeight, type FamilyWeights } from '../identity/score.ts'
import { priorOf } from './prior.ts'
import { eventOf, learnedParts, type ProvenCounts } from './proven-pairs.ts'

/** In nats, by age class, added to the weights of a component. A component that is not named keeps its weights. */
export interface Shift {
  readonly agrees: readonly number[]
  readonly differs: readonly number[]
}
export type FamilyShifts = Readonly<Partial<Record<Component, Shift>>>
export type Shifts = Readonly<Partial<Record<Family, FamilyShifts>>>

/** In nats, added to the log-odds of a confidence, by family and share of facts. */
export type Sureness = Readonly<Partial<Record<Family, Readonly<Partial<Record<Completeness, number>>>>>>

export interface Learned {
  readonly shifts: Shifts
  readonly sureness: Sureness
}

/** The prior counts like this many proven pairs. */
const priorPairs = 200
/** Maintenance moves a weight by at most this part of its standard error at a time. */
const step = 0.25

const round = (value: number) => Math.round(value * 1000) / 1000 + 0
const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value))

/**
 * Fellegi and Sunter (1969): the weight of an event is ln m − ln u, of how likely it is in one device and in two. A shift is that of the
 * tenant minus that of the prior; the prior's pairs are counted too, so few pairs move little.
 */
export function shiftsOf(family: Family, counts: ProvenCounts): FamilyShifts {
  const moved = components.map(() => ({
    agrees: new Array<number>(ages).fill(0),
    differs: new Array<number>(ages).fill(0),
  }))
  for (let age = 0; age < ages; age++) {
    const { same, different, error } = priorOf(family, age)
    for (const part of learnedParts) {
      const its = part.flatMap((component) => [eventOf(component, false), eventOf(component, true)])
      const change = (of: Uint32Array, prior: Float64Array) => {
        const all = its.reduce((sum, event) => sum + of[event]!, 0)
        return (event: number) =>
          prior[event] ? Math.log((priorPairs * prior[event] + of[event]!) / ((priorPairs + all) * prior[event])) : 0
      }
      const [inOne, inTwo] = [change(counts.same[age]!, same), change(counts.different, different)]
      for (const event of its) {
        const differs = event % 2 === 1
        moved[event >> 1]![differs ? 'differs' : 'agrees'][age] = round(
          clamp(inOne(event) - inTwo(event), error[event]!),
        )
      }
    }
  }
  return Object.fromEntries(
    components.flatMap((name, index) => {
      const { agrees, differs } = moved[index]!
      return [...agrees, ...differs].some((nats) => nats !== 0) ? [[name, moved[index]!]] : []
    }),
  )
}

/** From what is in use, a bounded step towards what was learned. */
export function stepTowards(from: FamilyShifts, to: FamilyShifts, family: Family): FamilyShifts {
  const errors = Array.from({ length: ages }, (_, age) => priorOf(family, age).error)
  const names = components.filter((name) => from[name] || to[name])
  return Object.fromEntries(
    names.map((name): [Component, Shift] => {
      const next = (which: keyof Shift) =>
        errors.map((error, age) => {
          const before = from[name]?.[which][age] ?? 0
          const most = step * error[eventOf(components.indexOf(name), which === 'differs')]!
          return round(before + clamp((to[name]?.[which][age] ?? 0) - before, most))
        })
      return [name, { agrees: next('agrees'), differs: next('differs') }]
    }),
  )
}

/** Tried one after the other, until the weights of a part keep their order. */
const shares = [1, 0.5, 0.25]

/**
 * Weights with what was learned. As before: agreement ≥ 0 ≥ difference, previous values between them; within a part, the member that
 * says more weighs at least as much when it differs. A weight of 0 stays 0: its part counts by others.
 */
export function shifted(weights: FamilyWeights, shifts: FamilyShifts): FamilyWeights {
  const its: Record<Component, ComponentWeight> = { ...weights.components }
  for (const part of allParts) {
    const names = part.map((component) => components[component]!)
    const byShare = shares.map((share) => names.map((name) => moved(weights.components[name], shifts[name], share)))
    const ordered = byShare.find(isOrdered)
    for (const [index, name] of names.entries()) if (ordered) its[name] = ordered[index]!
  }
  return { ...weights, components: its }
}

function moved(weight: ComponentWeight, shift: Shift | undefined, share: number): ComponentWeight {
  if (!shift) return weight
  const add = (which: keyof Shift) =>
    weight[which].map((nats, age) => (nats === 0 ? 0 : nats + share * (shift[which][age] ?? 0)))
  const agrees = add('agrees').map((nats) => Math.max(0, nats))
  const differs = add('differs').map((nats) => Math.min(0, nats))
  const former = weight.agreesWithFormer.map((nats, age) => Math.min(agrees[age]!, Math.max(differs[age]!, nats)))
  return { ...weight, agrees, differs, agreesWithFormer: former }
}

const isOrdered = (part: readonly ComponentWeight[]): boolean =>
  part.every((one, index) => {
    const before = part[index - 1]
    return !before || one.differs.every((nats, age) => nats >= before.differs[age]!)
  })
