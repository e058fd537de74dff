// How is a condition written without knowing its language? Row by row, in groups within each other.

import type { RuleVocabulary } from '../../../api/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Condition } from '../../../parts/condition.tsx'
import { Select } from '../../../parts/field.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Compared } from './compared.tsx'
import {
  type Group,
  isGroup,
  isOther,
  type Join,
  meaningOf,
  newGroup,
  newRow,
  type Part,
  rowFor,
  textOf,
  without,
} from './conditions.ts'
import { PathField } from './path-field.tsx'
import './edit.css'

export interface Words {
  readonly vocabulary: RuleVocabulary
  readonly velocities: readonly string[]
}

interface ConditionFormProps {
  group: Group
  words: Words
  label: string
  /** Undefined: its last part was removed. */
  onChange: (group: Group | undefined) => void
}

const joins = {
  all: 'all of these hold',
  any: 'any of these holds',
  notAll: 'not all of these hold',
  none: 'none of these holds',
} as const satisfies Record<Join, string>
const ofOne = { all: 'this holds', notAll: 'this does not hold' } as const

export function ConditionForm({ group, words, label, onChange }: ConditionFormProps) {
  const { join, parts } = group
  const isOne = parts.length === 1
  const replace = (index: number, part: Part | undefined) =>
    onChange(part === undefined ? without(group, index) : { ...group, parts: parts.with(index, part) })
  return (
    <fieldset className="rule-rows">
      <legend>
        {label}
        {isOne && join !== 'notAll' && join !== 'none' ? (
          ' this holds'
        ) : isOne ? (
          <Select
            bare
            label="Whether it must hold"
            options={ofOne}
            value="notAll"
            onChange={(made) => onChange({ ...group, join: made })}
          />
        ) : (
          <Select
            bare
            label="How many must hold"
            options={joins}
            value={join}
            onChange={(made) => onChange({ ...group, join: made })}
          />
        )}
      </legend>
      {parts.map((part, index) => (
        <PartForm
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id, and are changed in place
          key={index}
          part={part}
          words={words}
          mayRemove={!isOne}
          onChange={(made) => replace(index, made)}
        />
      ))}
      <Button kind="quiet" onPress={() => onChange({ ...group, parts: [...parts, newRow] })}>
        Add a condition
      </Button>
      <Button kind="quiet" onPress={() => onChange({ ...group, parts: [...parts, newGroup(group)] })}>
        Add a group
      </Button>
    </fieldset>
  )
}

interface PartFormProps {
  part: Part
  words: Words
  mayRemove: boolean
  onChange: (part: Part | undefined) => void
}

function PartForm({ part, words, mayRemove, onChange }: PartFormProps) {
  const { vocabulary, velocities } = words
  const remove = mayRemove && (
    <Button kind="quiet" square aria-label="Remove this condition" onPress={() => onChange(undefined)}>
      <Icon name="close" size={14} />
    </Button>
  )
  if (isGroup(part))
    return (
      <div className="rule-group">
        <ConditionForm group={part} words={words} label="" onChange={onChange} />
        {remove}
      </div>
    )
  if (isOther(part))
    return (
      <div className="rule-row">
        <Condition text={textOf(part.tree)} framed />
        {remove}
        <p className="rule-row-help">Change it in the text.</p>
      </div>
    )
  return (
    <div className="rule-row">
      <PathField
        path={part.path}
        vocabulary={vocabulary}
        velocities={velocities}
        onChange={(path) => onChange(rowFor(path, vocabulary))}
      />
      {part.path !== '' && <Compared row={part} vocabulary={vocabulary} onChange={onChange} />}
      {remove}
      <p className="rule-row-help">
        {part.path === '' ? 'Choose what to compare.' : meaningOf(part.path, vocabulary).description}
      </p>
    </div>
  )
}
