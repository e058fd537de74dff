// What has an edit changed? Its rules, velocities and requirements, against those that it began with.

/** What is compared. */
interface Compared {
  readonly rules: readonly { readonly id: string; readonly name: string }[]
  readonly velocities: Readonly<Record<string, unknown>>
  readonly requirements: object
}

export interface Changes {
  /** By id. */
  readonly rules: ReadonlyMap<string, 'added' | 'changed'>
  /** Names of rules that are gone. */
  readonly removed: readonly string[]
  readonly velocities: number
  readonly requirements: boolean
  readonly count: number
}

export function changesOf(base: Compared | undefined, now: Compared): Changes {
  if (!base) return { rules: new Map(), removed: [], velocities: 0, requirements: false, count: 0 }
  const before = new Map(base.rules.map((rule) => [rule.id, JSON.stringify(rule)]))
  const rules = new Map<string, 'added' | 'changed'>()
  for (const rule of now.rules) {
    const was = before.get(rule.id)
    if (was === undefined) rules.set(rule.id, 'added')
    else if (was !== JSON.stringify(rule)) rules.set(rule.id, 'changed')
  }
  const ids = new Set(now.rules.map(({ id }) => id))
  const removed = base.rules.filter(({ id }) => !ids.has(id)).map(({ name }) => name)
  const names = new Set([...Object.keys(base.velocities), ...Object.keys(now.velocities)])
  const velocities = [...names].filter(
    (name) => JSON.stringify(base.velocities[name]) !== JSON.stringify(now.velocities[name]),
  ).length
  const requirements = JSON.stringify(base.requirements) !== JSON.stringify(now.requirements)
  const count = rules.size + removed.length + velocities + (requirements ? 1 : 0)
  return { rules, removed, velocities, requirements, count }
}
