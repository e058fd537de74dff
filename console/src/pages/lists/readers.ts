// Which rules read a list? Those of the live version, by the conditions of the rules and of what they count.

import type { List, ShownRules } from '../../api/types.ts'

/** Names of the rules and velocities by list. */
export function readersOf({ rules, velocity = {} }: Pick<ShownRules, 'rules' | 'velocity'>): Map<string, string[]> {
  const conditions: (readonly [string, string | undefined])[] = [
    ...rules.map(({ name, when }) => [name, when] as const),
    ...Object.entries(velocity).map(([name, { when }]) => [`velocity.${name}`, when] as const),
  ]
  const readers = new Map<string, string[]>()
  for (const [reader, when = ''] of conditions) {
    for (const list of new Set([...when.matchAll(/\binList\("([^"]+)"/g)].map(([, name]) => name!))) {
      readers.set(list, [...(readers.get(list) ?? []), reader])
    }
  }
  return readers
}

/** Whether the list does less than its purpose says. An allow list is no rule, but an exception in others. */
export const isIdle = ({ purpose }: Pick<List, 'purpose'>, readers: readonly string[] | undefined): boolean =>
  readers?.length === 0 && purpose !== 'allow'
