// How is a rule written without knowing its language? Conditions are chosen from lists, and the text follows.

import type { CheckedRules, RuleVocabulary } from '../../../api/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Select, TextField } from '../../../parts/field.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { texts } from '../../../texts.ts'
import { ConditionForm } from './condition-form.tsx'
import { groupOf, treeOf } from './conditions.ts'
import './edit.css'

/** `tree`: the condition, which a form changes; absent until the service has read it. */
export type FormRule = Omit<CheckedRules['rules'][number], 'tree'> & { readonly tree?: unknown }

interface RuleFormProps {
  rule: FormRule
  vocabulary: RuleVocabulary
  velocities: readonly string[]
  /** What is wrong or odd about it. */
  notes: readonly { text: string; isMistake: boolean }[]
  onChange: (rule: FormRule) => void
  onRemove: () => void
}

export function RuleForm({ rule, vocabulary, velocities, notes, onChange, onRemove }: RuleFormProps) {
  const change = (made: Partial<FormRule>) => onChange({ ...rule, ...made })
  return (
    <section className="rule-form" aria-label={`Rule ${rule.name}`}>
      <div className="rule-form-head">
        <TextField label="Name" value={rule.name} onChange={(name) => change({ name })} maxLength={100} />
        <Button kind="quiet" square aria-label={`Delete rule ${rule.name}`} onPress={onRemove}>
          <Icon name="close" size={14} />
        </Button>
      </div>
      <ConditionForm
        group={groupOf(rule.tree)}
        words={{ vocabulary, velocities }}
        label="When"
        onChange={(made) => made && change({ tree: treeOf(made) })}
      />
      <div className="rule-then">
        <Select label="Then" options={texts.actions} value={rule.action} onChange={(action) => change({ action })} />
        <TextField
          label="Score"
          value={String(rule.score)}
          inputMode="numeric"
          onChange={(score) => change({ score: Number(score) || 0 })}
        />
        {(rule.action === 'REVIEW' || rule.reviewHours !== undefined) && (
          <TextField
            label="Hours for reviewers"
            value={rule.reviewHours === undefined ? '' : String(rule.reviewHours)}
            inputMode="numeric"
            placeholder="As usual"
            onChange={(hours) => {
              const { reviewHours: _, ...others } = rule
              onChange(hours.trim() === '' ? others : { ...others, reviewHours: Number(hours) || 0 })
            }}
          />
        )}
      </div>
      {notes.map(({ text, isMistake }) => (
        <p key={text} className={isMistake ? 'rule-note mistake' : 'rule-note'}>
          <Icon name="warning" size={14} /> {text}
        </p>
      ))}
    </section>
  )
}
