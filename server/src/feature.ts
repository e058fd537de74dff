// What is a feature? A room of the house with a door: what it needs of others, and what it gives them.

import type { Config } from './config/config.ts'
import type { ReadSecret } from './config/secret-reference.ts'
import type { Core } from './core.ts'

/** What a feature opens with, beside the doors that it names. */
export interface Opening extends Core {
  config: Config
  readSecret: ReadSecret
  /** Runs when the service stops, after what was opened later has been closed. */
  atClose(close: () => unknown): void
}

export interface Feature<Name extends string = string, Door = unknown, Needed extends readonly AnyFeature[] = []> {
  /** Under which others find its door. */
  readonly name: Name
  readonly needs: Needed
  /** Throws a ConfigurationError when its part of the configuration is wrong. */
  open(opening: Opening, doors: DoorsOf<Needed>): Door | Promise<Door>
}

// biome-ignore lint/suspicious/noExplicitAny: of any features and any door
export type AnyFeature = Feature<string, any, any>

type DoorOf<F> = F extends Feature<infer Name, infer Door, infer _> ? { readonly [N in Name]: Door } : never

/** Of a list of features: each door under the name of its feature. */
export type DoorsOf<Features extends readonly unknown[]> = Features extends readonly [infer First, ...infer Rest]
  ? DoorOf<First> & DoorsOf<Rest>
  : unknown

/** `needs`: in any order; each must be opened before. */
export function feature<const Name extends string, Door, const Needed extends readonly AnyFeature[] = []>(
  definition: Feature<Name, Door, Needed>,
): Feature<Name, Door, Needed> {
  return definition
}

/** The door of something that is open before every feature, such as the keys of the store. */
export const given = <Door>() => ({
  as: <const Name extends string>(name: Name): Feature<Name, Door> =>
    feature({
      name,
      needs: [],
      open: () => {
        throw new Error(`${name} is given, not opened`)
      },
    }),
})

/**
 * Opens the features one after the other, and closes those that are open when one cannot be opened. `givenDoors`: those of `given`, by
 * name.
 */
export async function openFeatures<const Features extends readonly AnyFeature[], Given extends object>(
  features: Features,
  core: Omit<Opening, 'atClose'>,
  givenDoors: Given,
): Promise<{ doors: Given & DoorsOf<Features>; close(): Promise<void> }> {
  const closings: (() => unknown)[] = []
  const close = async () => {
    for (const end of closings.splice(0).reverse()) await end()
  }
  const opening: Opening = { ...core, atClose: (end) => closings.push(end) }
  const doors: Record<string, unknown> = { ...(givenDoors as object) }
  try {
    for (const { name, needs, open } of features) {
      for (const needed of needs as readonly AnyFeature[])
        if (!Object.hasOwn(doors, needed.name)) throw new Error(`${name} needs ${needed.name}, which is opened later`)
      doors[name] = await open(opening, doors as never)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { doors: doors as Given & DoorsOf<Features>, close }
}
