// What is a feature? A room of the house with a door: what it needs of others, and what it gives them.

import type { Config } from './config/config.ts'
import type { ReadSecret } from './config/secret-reference.ts'
import type { Core } from './core.ts'
import type { Row } from './rows.ts'

/** What a feature opens with, beside the doors that it names. */
export interface Opening extends Core {
  config: Config
  readSecret: ReadSecret
  /** Runs when the service stops, after what was opened later has been closed. */
  atClose(close: () => unknown): void
}

interface Definition<Name extends string, Door, Needed extends readonly AnyFeature[]> {
  /** Under which others find its door. */
  readonly name: Name
  readonly needs: Needed
  /** Throws a ConfigurationError when its part of the configuration is wrong. Absent: it has no door, only rows. */
  readonly open?: (opening: Opening, doors: DoorsOf<Needed>) => Door | Promise<Door>
}

export interface Feature<Name extends string = string, Door = unknown, Needed extends readonly AnyFeature[] = []>
  extends Definition<Name, Door, Needed> {
  readonly rows?: readonly Row<RoomOf<Name, Door, Needed>>[]
  readonly upkeep?: Upkeep<RoomOf<Name, Door, Needed>>
}

/** What a feature does every minute, by what it looks after: it drops what has expired. */
export type Upkeep<Needs> = Readonly<Record<string, (needs: Needs) => Promise<unknown>>>

export interface AnyFeature {
  readonly name: string
  readonly needs: readonly AnyFeature[]
  readonly open?: (opening: Opening, doors: never) => unknown
  readonly rows?: readonly Row<never>[]
  readonly upkeep?: Upkeep<never>
}

type DoorOf<F> = F extends { readonly name: infer Name extends string; readonly open?: (...asked: never) => infer Door }
  ? { readonly [N in Name]: Awaited<Door> }
  : never

/** Of a list of features: each door under the name of its feature. */
export type DoorsOf<Features extends readonly unknown[]> = Features extends readonly [infer First, ...infer Rest]
  ? DoorOf<First> & DoorsOf<Rest>
  : unknown

/** What a handler of the feature may need: the core, the doors that the feature names, and its own. */
type RoomOf<Name extends string, Door, Needed extends readonly AnyFeature[]> = Core &
  DoorsOf<Needed> & { readonly [N in Name]: Door }

/** `needs`: in any order; each must be opened before. */
export function feature<const Name extends string, Door = undefined, const Needed extends readonly AnyFeature[] = []>(
  definition: Definition<Name, Door, Needed>,
): Feature<Name, Door, Needed> & {
  /** With what it answers, and what it does every minute. What needs more than the feature names does not compile. */
  with(more: Pick<Feature<Name, Door, Needed>, 'rows' | 'upkeep'>): Feature<Name, Door, Needed>
} {
  return { ...definition, with: (more) => ({ ...definition, ...more }) }
}

/** The door of something that is open before every feature, such as the keys of the store. */
export const given = <Door>() => ({
  as: <const Name extends string>(name: Name): Feature<Name, Door> => ({ name, needs: [] }),
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
      for (const needed of needs)
        if (!Object.hasOwn(doors, needed.name)) throw new Error(`${name} needs ${needed.name}, which is opened later`)
      doors[name] = await open?.(opening, doors as never)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { doors: doors as Given & DoorsOf<Features>, close }
}
