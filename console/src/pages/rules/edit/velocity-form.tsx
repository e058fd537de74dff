// How is a velocity written without knowing the language? What it counts, per what, within which time.

import type { RuleVocabulary } from '../../../api/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Card } from '../../../parts/card.tsx'
import { Select, TextField } from '../../../parts/field.tsx'
import { Icon } from '../../../parts/icon.tsx'
import './edit.css'

/** As a rules file has it. */
interface WrittenVelocity {
  readonly count?: string
  readonly distinct?: string
  readonly sum?: string
  readonly per: string
  readonly within: string
  readonly when?: string
}
export type Velocities = Readonly<Record<string, WrittenVelocity>>

interface VelocitiesFormProps {
  velocities: Velocities
  vocabulary: RuleVocabulary
  onChange: (velocities: Velocities) => void
}

const measures = { count: 'Number of decisions', distinct: 'Different values of', sum: 'Sum of' } as const
type Measure = keyof typeof measures

export function VelocitiesForm({ velocities, vocabulary, onChange }: VelocitiesFormProps) {
  const all = Object.entries(velocities)
  const put = (index: number, name: string, velocity: WrittenVelocity) =>
    onChange(Object.fromEntries(all.with(index, [name, velocity])))
  return (
    <Card
      title="Velocities"
      aside={
        <Button
          kind="quiet"
          onPress={() =>
            onChange({ ...velocities, [freeName(velocities)]: { count: 'decisions', per: 'user', within: '24h' } })
          }
        >
          Add a velocity
        </Button>
      }
    >
      {all.length === 0 ? (
        <p className="dim">
          A velocity counts decisions, such as the cards of a device within a day. Rules read it as{' '}
          <code>velocity.NAME</code>.
        </p>
      ) : (
        <ul className="velocity-forms">
          {all.map(([name, velocity], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the name is what a person changes
            <li key={index}>
              <VelocityForm
                name={name}
                velocity={velocity}
                subjects={vocabulary.velocityKeys}
                onChange={(newName, made) => {
                  // Two of one name would be one.
                  if (newName === name || !(newName in velocities)) put(index, newName, made)
                }}
                onRemove={() => onChange(Object.fromEntries(all.toSpliced(index, 1)))}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function freeName(velocities: Velocities): string {
  for (let number = 1; ; number++) if (!(`count${number}` in velocities)) return `count${number}`
}

interface VelocityFormProps {
  name: string
  velocity: WrittenVelocity
  subjects: readonly string[]
  onChange: (name: string, velocity: WrittenVelocity) => void
  onRemove: () => void
}

function VelocityForm({ name, velocity, subjects, onChange, onRemove }: VelocityFormProps) {
  const { distinct, sum, per, within, when } = velocity
  const measure: Measure = distinct !== undefined ? 'distinct' : sum !== undefined ? 'sum' : 'count'
  const path = distinct ?? sum ?? 'params.amount'
  const measured = (of: Measure, value: string): Partial<WrittenVelocity> =>
    of === 'count' ? { count: 'decisions' } : { [of]: value }
  const rest = { per, within, ...(when !== undefined && { when }) }
  const known = Object.fromEntries([...new Set([...subjects, per])].map((each) => [each, `per ${each}`]))
  return (
    <div className="velocity-form">
      <TextField label="Name" value={name} onChange={(made) => onChange(made, velocity)} maxLength={40} />
      <Select
        label="Counts"
        options={measures}
        value={measure}
        onChange={(made) => onChange(name, { ...measured(made, path), ...rest })}
      />
      {measure !== 'count' && (
        <TextField
          label="Path"
          value={path}
          onChange={(made) => onChange(name, { ...measured(measure, made), ...rest })}
          placeholder="params.card"
        />
      )}
      <Select label="Per" options={known} value={per} onChange={(made) => onChange(name, { ...velocity, per: made })} />
      <TextField
        label="Within"
        value={within}
        onChange={(made) => onChange(name, { ...velocity, within: made })}
        placeholder="24h"
      />
      <TextField
        label="Only when"
        value={when ?? ''}
        onChange={(made) => {
          const { when: _, ...others } = velocity
          onChange(name, made.trim() === '' ? others : { ...others, when: made })
        }}
        placeholder="every decision"
      />
      <Button kind="quiet" square aria-label={`Delete velocity ${name}`} onPress={onRemove}>
        <Icon name="close" size={14} />
      </Button>
    </div>
  )
}
