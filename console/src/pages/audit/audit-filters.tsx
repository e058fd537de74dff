// Whose lines, of which call and from when? Three choices that take effect at once.

import type { AuditLine } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/field.tsx'
import { changeName, changeNames } from '../../words/changes.ts'
import type { AuditFilters } from './filters.ts'
import { nameOf } from './lines.ts'
import './audit.css'

const any = ''

const actions: Readonly<Record<string, string>> = {
  [any]: 'Everything',
  ...Object.fromEntries(Object.entries(changeNames).toSorted(([, one], [, other]) => one.localeCompare(other))),
}

interface FiltersProps {
  value: AuditFilters
  /** Whoever is in them can be chosen. */
  lines: readonly AuditLine[]
  /** On the filters as they are then: two quick changes are both kept. */
  onChange: (change: (before: AuditFilters) => AuditFilters) => void
}

export function Filters({ value, lines, onChange }: FiltersProps) {
  const change = (name: keyof AuditFilters, text: string) => {
    onChange(({ [name]: _, ...others }) => (text === any ? others : { ...others, [name]: text }))
  }
  return (
    <search className="audit-filters">
      <Select
        label="Who"
        options={actorsIn(lines, value.actor)}
        value={value.actor ?? any}
        onChange={(actor) => change('actor', actor)}
      />
      <Select
        label="What"
        options={
          value.action !== undefined && !(value.action in actions)
            ? { ...actions, [value.action]: changeName(value.action) }
            : actions
        }
        value={value.action ?? any}
        onChange={(action) => change('action', action)}
      />
      <TextField label="From" type="date" value={value.from ?? any} onChange={(day) => change('from', day)} />
      <TextField label="To" type="date" value={value.to ?? any} onChange={(day) => change('to', day)} />
      {Object.keys(value).length > 0 && (
        <Button kind="quiet" onPress={() => onChange(() => ({}))}>
          Clear
        </Button>
      )}
    </search>
  )
}

/** By id, with the newest name of each. */
function actorsIn(lines: readonly AuditLine[], chosen: string | undefined): Record<string, string> {
  const names = new Map<string, string>()
  if (chosen !== undefined) names.set(chosen, chosen)
  for (const line of lines.toReversed()) names.set(line.actor, nameOf(line))
  const sorted = [...names].toSorted(([, one], [, other]) => one.localeCompare(other))
  return { [any]: 'Anybody', ...Object.fromEntries(sorted) }
}
