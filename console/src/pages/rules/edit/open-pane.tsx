// What is open? A rule by its form with its figures and cases, the velocities, the requirements; or the text of all.

import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import type { RuleVocabulary } from '../../../api/types.ts'
import { ActionBadge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Card } from '../../../parts/card.tsx'
import { Condition } from '../../../parts/condition.tsx'
import { Empty, LoadingScript } from '../../../parts/empty.tsx'
import { operationName } from '../../../parts/values/format.ts'
import { ExamplesCard } from '../examples-card.tsx'
import { RequirementsCard } from '../requirements-card.tsx'
import { RuleFiguresCard } from '../rule-figures.tsx'
import { RuleHistoryCard } from '../rule-history.tsx'
import type { FiguresOf } from '../use-figures.ts'
import { CasesForm } from './cases-form.tsx'
import { Results } from './check-results.tsx'
import { type FormRule, RuleForm } from './rule-form.tsx'
import type { Draft } from './use-draft.ts'
import { VelocitiesForm } from './velocity-form.tsx'
import './edit.css'

const TextEditor = lazy(() => import('./text-editor.tsx'))

/** What is open beside the rules; no rule has an id with a colon. */
export const parts = [
  {
    id: ':velocities',
    title: 'Velocities',
    about: ({ velocities }: Draft) => Object.keys(velocities).join(', ') || 'none',
  },
  {
    id: ':requirements',
    title: 'What must be known',
    about: ({ requirements: { require = {} } }: Draft) =>
      Object.keys(require).map(operationName).join(', ') || 'nothing',
  },
] as const

interface OpenPaneProps {
  openId: string | undefined
  draft: Draft
  vocabulary: RuleVocabulary
  figures: FiguresOf
  velocities: readonly string[]
  isText: boolean
  onText: (isText: boolean) => void
  /** Back to the list, where there is no room for both. */
  onClose: () => void
}

export function OpenPane(props: OpenPaneProps) {
  const { openId, draft, vocabulary, isText, onText, onClose } = props
  const { checked } = draft
  const pane = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was opened begins at its top
  useEffect(() => {
    if (pane.current && pane.current.getBoundingClientRect().top < 0) pane.current.scrollIntoView()
  }, [openId])
  return (
    <section className="edit-open" aria-label="Open" ref={pane}>
      <div className="edit-views">
        <span className="edit-back">
          <Button kind="quiet" onPress={onClose}>
            All rules
          </Button>
        </span>
        <Button kind="quiet" aria-pressed={!isText} onPress={() => onText(false)}>
          Form
        </Button>
        <Button kind="quiet" aria-pressed={isText} onPress={() => onText(true)}>
          Text
        </Button>
      </div>
      {isText ? (
        <div className="edit-text">
          <Suspense fallback={<LoadingScript lines={12} />}>
            <TextEditor
              text={draft.text ?? ''}
              onChange={draft.type}
              mistakes={checked?.mistakes ?? []}
              vocabulary={vocabulary}
              ruleId={openId}
            />
          </Suspense>
        </div>
      ) : (
        <div className="edit-form" inert={draft.formWaits === 'checking'}>
          <FormOrWhyNot waits={draft.formWaits} onDropComments={draft.dropComments}>
            <OpenForm {...props} />
          </FormOrWhyNot>
        </div>
      )}
      {checked && <Results checked={checked} />}
    </section>
  )
}

function OpenForm({ openId, draft, vocabulary, figures, velocities }: OpenPaneProps) {
  const { rules, fill, base } = draft
  if (openId === ':velocities')
    return (
      <VelocitiesForm
        velocities={draft.velocities}
        vocabulary={vocabulary}
        onChange={(made) => fill({ velocities: made })}
      />
    )
  if (openId === ':requirements') return <RequirementsCard shown={draft.requirements} />
  const index = rules.findIndex(({ id }) => id === openId)
  const rule = rules[index]
  if (!rule)
    return (
      <Empty icon="rules" title="No rule yet">
        Without a rule, every decision is Allow.
      </Empty>
    )
  const { checked } = draft
  const before = base?.rules.find(({ id }) => id === rule.id)
  const failed = checked?.failedCases.filter((each) => each.rule === rule.id).map(({ number }) => number)
  return (
    <>
      <RuleForm
        key={rule.id}
        rule={rule}
        vocabulary={vocabulary}
        velocities={velocities}
        notes={notesOf(rule.id, checked)}
        onChange={(made) => fill({ rules: rules.with(index, made) })}
        onRemove={() => fill({ rules: rules.toSpliced(index, 1) })}
      />
      {before && JSON.stringify(before) !== JSON.stringify(rule) && <Before rule={before} />}
      <RuleFiguresCard figures={before && figures(rule.id)} />
      {before && <ExamplesCard ruleId={rule.id} />}
      <CasesForm
        key={`cases of ${rule.id}`}
        cases={rule.cases ?? []}
        failed={new Set(failed)}
        words={{ vocabulary, velocities }}
        onChange={(cases) => {
          const { cases: _, ...others } = rule
          fill({ rules: rules.with(index, cases.length === 0 ? others : { ...others, cases }) })
        }}
      />
      {before && <RuleHistoryCard ruleId={rule.id} />}
    </>
  )
}

const notesOf = (id: string, checked: Draft['checked']) => [
  ...(checked?.mistakes ?? [])
    .filter(({ rule }) => rule === id)
    .map(({ reason }) => ({ text: reason, isMistake: true })),
  ...(checked?.findings ?? []).filter(({ rule }) => rule === id).map(({ text }) => ({ text, isMistake: false })),
]

/** As it was when the edit began. */
const Before = ({ rule: { name, when, action, score } }: { rule: FormRule }) => (
  <Card title="Before your change" aside={<ActionBadge action={action} />}>
    <p>
      <b>{name}</b> <span className="dim">Score {score}</span>
    </p>
    <Condition text={when} framed />
  </Card>
)

interface FormOrWhyNotProps {
  waits: Draft['formWaits']
  onDropComments: () => void
  children: ReactNode
}

/** A form writes the whole text. It waits while that would lose something. */
function FormOrWhyNot({ waits, onDropComments, children }: FormOrWhyNotProps) {
  if (waits === 'mistakes')
    return (
      <p className="form-waits">
        The text has mistakes. The form comes back when they are corrected, so that it cannot overwrite what you typed.
      </p>
    )
  if (waits === 'comments')
    return (
      <div className="form-waits">
        <p>The text has comments, which the form would remove.</p>
        <Button onPress={onDropComments}>Use the form without comments</Button>
      </div>
    )
  return children
}
