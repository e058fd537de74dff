// What is expected of a tenant before it has traffic? How often parts agree in the simulation, and how much that differs by tenant.

import { type Component, components, type Family } from '../identity/components.ts'
import fitted from './prior.json' with { type: 'json' }
import { eventOf, events } from './proven-pairs.ts'

interface OfEvents<T> {
  readonly agrees: T
  readonly differs: T
}

/** Of one component, as its part counts by it. */
export interface PriorOfComponent {
  /** How likely in one device, by age class, and in two. */
  readonly same: OfEvents<readonly number[]>
  readonly different: OfEvents<number>
  /** In nats: the standard error of its weight, as the weight of one of many simulated tenants. By age class. */
  readonly error: OfEvents<readonly number[]>
}

const families = fitted.families as unknown as Readonly<
  Record<Family, Readonly<Partial<Record<Component, PriorOfComponent>>>>
>

/** By event, of `same` and `error` at this age class. */
export interface Prior {
  readonly same: Float64Array
  readonly different: Float64Array
  readonly error: Float64Array
}

export function priorOf(family: Family, age: number): Prior {
  const prior = {
    same: new Float64Array(events),
    different: new Float64Array(events),
    error: new Float64Array(events),
  }
  for (const [index, name] of components.entries()) {
    const its = families[family][name]
    if (!its) continue
    for (const which of ['agrees', 'differs'] as const) {
      const event = eventOf(index, which === 'differs')
      prior.same[event] = its.same[which][age]!
      prior.different[event] = its.different[which]
      prior.error[event] = its.error[which][age]!
    }
  }
  return prior
}
