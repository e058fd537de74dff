// For which values must a rule fire, or stay silent? Its cases, which run on each check.

import { useState } from 'react'
import type { ShownRule } from '../../../api/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Card } from '../../../parts/card.tsx'
import { Select, TextField } from '../../../parts/field.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { readValue, valueText } from './case-values.ts'
import type { Words } from './condition-form.tsx'
import { rowFor } from './conditions.ts'
import { PathField } from './path-field.tsx'
import './edit.css'
import './cases-form.css'

type Case = NonNullable<ShownRule['cases']>[number]
type Values = Readonly<Record<string, unknown>>

interface CasesFormProps {
  cases: readonly Case[]
  /** Numbers of those that do not hold, from 1. */
  failed: ReadonlySet<number>
  words: Words
  onChange: (cases: Case[]) => void
}

export function CasesForm({ cases, failed, words, onChange }: CasesFormProps) {
  return (
    <Card
      title="Cases"
      aside={
        <Button kind="quiet" onPress={() => onChange([...cases, { fires: {} }])}>
          Add a case
        </Button>
      }
    >
      {cases.length === 0 ? (
        <p className="dim">A case is an example for which the rule must fire, or stay silent. It runs on each check.</p>
      ) : (
        <ol className="case-forms">
          {cases.map((each, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cases have no id, and are changed in place
            <li key={index} data-failed={failed.has(index + 1) || undefined}>
              <CaseForm
                of={each}
                title={`Case ${index + 1}`}
                words={words}
                onChange={(made) => onChange(cases.with(index, made))}
                onRemove={() => onChange(cases.toSpliced(index, 1))}
              />
              {failed.has(index + 1) && (
                <p className="case-failed">
                  {each.fires ? 'It should fire, and stays silent.' : 'It should stay silent, and fires.'}
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

const expected = { fires: 'Fires', silent: 'Stays silent' } as const

interface CaseFormProps {
  of: Case
  title: string
  words: Words
  onChange: (made: Case) => void
  onRemove: () => void
}

function CaseForm({ of: { name, fires, silent }, title, words, onChange, onRemove }: CaseFormProps) {
  const kind = fires ? 'fires' : 'silent'
  const values: Values = fires ?? silent ?? {}
  const named = name === undefined ? {} : { name }
  const put = (made: Values) => onChange({ ...named, [kind]: made })
  return (
    <>
      <div className="case-head">
        <TextField
          label="Name of the case"
          value={name ?? ''}
          placeholder={title}
          maxLength={200}
          onChange={(made) => onChange({ ...(made !== '' && { name: made }), [kind]: values })}
        />
        <Select
          label="The rule"
          options={expected}
          value={kind}
          onChange={(made) => onChange({ ...named, [made]: values })}
        />
        <Button kind="quiet" square aria-label={`Remove ${title.toLowerCase()}`} onPress={onRemove}>
          <Icon name="close" size={14} />
        </Button>
      </div>
      {Object.entries(values).map(([path, value]) => (
        <div className="rule-row" key={path}>
          <code>{path}</code>
          <ValueField path={path} value={value} onChange={(made) => put({ ...values, [path]: made })} />
          <Button
            kind="quiet"
            square
            aria-label={`Remove ${path}`}
            onPress={() => put(Object.fromEntries(Object.entries(values).filter(([each]) => each !== path)))}
          >
            <Icon name="close" size={14} />
          </Button>
        </div>
      ))}
      <div className="rule-row case-more">
        <PathField
          key={Object.keys(values).length}
          path=""
          {...words}
          onChange={(path) =>
            path !== '' && put({ ...values, [path]: values[path] ?? rowFor(path, words.vocabulary).value })
          }
        />
      </div>
    </>
  )
}

interface ValueFieldProps {
  path: string
  value: unknown
  onChange: (value: unknown) => void
}

/** What is typed stays as it is while it means the value: "1." is on its way to 1.5. */
function ValueField({ path, value, onChange }: ValueFieldProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <TextField
      label={`Value of ${path}`}
      value={typed !== undefined && readValue(typed) === value ? typed : valueText(value)}
      onChange={(made) => {
        setTyped(made)
        onChange(readValue(made))
      }}
    />
  )
}
