// How is a path compared? The operators that fit its kind, and a value that fits them.

import type { RuleVocabulary } from '../../../api/types.ts'
import { Select, TextField } from '../../../parts/field.tsx'
import { listsFor, meaningOf, type Row } from './conditions.ts'

const operatorNames = {
  '==': 'is',
  '!=': 'is known, and not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is more than',
  '>=': 'is at least',
  prefix: 'begins with',
  exists: 'is known',
  inList: 'is in the list',
} as const
type Operator = keyof typeof operatorNames

export function Compared({
  row,
  vocabulary,
  onChange,
}: {
  row: Row
  vocabulary: RuleVocabulary
  onChange: (row: Row) => void
}) {
  const { kind, values } = meaningOf(row.path, vocabulary)
  if (kind === 'flag') {
    const now = row.op === 'exists' ? 'known' : String(row.value)
    return (
      <Select
        bare
        label="Is"
        options={{ true: 'is true', false: 'is false', known: 'is known' }}
        value={now as 'true' | 'false' | 'known'}
        onChange={(made) =>
          onChange(
            made === 'known' ? { ...row, op: 'exists', value: true } : { ...row, op: '==', value: made === 'true' },
          )
        }
      />
    )
  }
  const lists = listsFor(row.path, vocabulary).map(({ name }) => name)
  const allowed = vocabulary.operators
    .filter(({ operator, kinds }) => operator in operatorNames && kinds.includes(kind))
    .filter(({ operator }) => operator !== 'inList' || (lists.length > 0 && !values) || row.op === 'inList')
    .map(({ operator }) => operator as Operator)
  const options = Object.fromEntries(allowed.map((each) => [each, operatorNames[each]])) as Record<Operator, string>
  const set = (op: Operator) => onChange(op === 'inList' ? { ...row, op, list: row.list ?? lists[0]! } : { ...row, op })
  return (
    <>
      <Select bare label="Compared how" options={options} value={row.op as Operator} onChange={set} />
      {row.op === 'exists' ? null : row.op === 'inList' ? (
        <Select
          bare
          label="List"
          // A text may name one that does not fit: it stays in sight until it is changed.
          options={Object.fromEntries([...new Set([...lists, row.list ?? lists[0]!])].map((name) => [name, name]))}
          value={row.list}
          onChange={(list) => onChange({ ...row, list })}
        />
      ) : values ? (
        <Select
          bare
          label="Value"
          options={Object.fromEntries(values.map((each) => [each, each]))}
          value={String(row.value)}
          onChange={(value) => onChange({ ...row, value })}
        />
      ) : (
        <TextField
          label="Value"
          value={String(row.value)}
          onChange={(value) => onChange({ ...row, value: kind === 'number' ? Number(value) || 0 : value })}
        />
      )}
    </>
  )
}
