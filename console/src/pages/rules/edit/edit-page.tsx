// How are rules written? By a form and as text, side by side; the service checks them while they are typed.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { problemName } from '../../../api/problem.ts'
import { reading, useSession } from '../../../api/session.tsx'
import type { CheckedRules } from '../../../api/types.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Card } from '../../../parts/card.tsx'
import { checkTitle } from '../../../parts/check-name.ts'
import { Failed, Loading } from '../../../parts/empty.tsx'
import { CallError } from '../../../parts/forms/call-error.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { newRow, rowsOfFacts, treeOf } from './conditions.ts'
import { factsOf } from './facts.ts'
import { type FormRule, RuleForm } from './rule-form.tsx'
import { type Draft, useDraft } from './use-draft.ts'
import { VelocitiesForm } from './velocity-form.tsx'
import './edit.css'

const TextEditor = lazy(() => import('./text-editor.tsx'))

export function EditRulesPage() {
  const { base, from } = useSearch({ from: '/rules/edit' })
  const { call } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const draft = useDraft(base)
  const vocabulary = useQuery({ ...reading(call, 'readRuleVocabulary', {}), staleTime: Number.POSITIVE_INFINITY })
  const decision = useQuery({
    ...reading(call, 'readDecision', { decisionId: from ?? '' }),
    enabled: from !== undefined,
  })
  const saving = useMutation({
    mutationFn: () => call('saveRuleDraft', { text: draft.text ?? '', basedOn: draft.basedOn }),
    async onSuccess({ version }) {
      await Promise.all(
        ['listRuleVersions', 'readRuleHistory', 'readRules'].map((name) =>
          queries.invalidateQueries({ queryKey: [name] }),
        ),
      )
      await navigate({ to: '/rules', search: { version } })
    },
  })
  const { checked, rules } = draft
  const hasStarted = useRef(false)
  const words = vocabulary.data

  function add(tree: unknown, name: string, action: 'WARN' | 'BLOCK'): void {
    const id = freeId(rules)
    // First, where form and text show it at once.
    draft.fill({ rules: [{ id, name, when: '', tree, action, score: action === 'BLOCK' ? 50 : 30 }, ...rules] })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a rule is started once
  useEffect(() => {
    if (hasStarted.current || !words || !decision.data || !checked) return
    hasStarted.current = true
    const rows = rowsOfFacts(factsOf(decision.data), words)
    if (rows.length > 0)
      add(treeOf({ join: 'all', parts: rows }), `Like decision ${decision.data.decisionId.slice(0, 8)}`, 'BLOCK')
  }, [words, decision.data, checked])

  const error = vocabulary.error ?? (draft.text === undefined ? draft.error : null)
  if (error) return <Failed error={error} />
  if (!words || draft.text === undefined) return <Loading lines={12} />
  const notes = (id: string) => [
    ...(checked?.mistakes ?? [])
      .filter(({ rule }) => rule === id)
      .map(({ reason }) => ({ text: reason, isMistake: true })),
    ...(checked?.findings ?? []).filter(({ rule }) => rule === id).map(({ text }) => ({ text, isMistake: false })),
  ]
  const isUsable = !draft.isUnfinished && checked?.mistakes.length === 0 && checked.failedCases.length === 0
  const isStale = problemName(saving.error) === 'rules-changed-meanwhile'
  return (
    <>
      <PageHead
        over="Rules"
        title="Edit"
        beside={
          draft.isUnfinished ? (
            <Badge tone="amber">Unfinished</Badge>
          ) : (
            <CheckBadge checked={checked} isChecking={draft.isChecking} />
          )
        }
        under="Saving stores a draft. It decides nothing until it is published."
      >
        <Link to="/rules" search={{}} className="button quiet">
          Cancel
        </Link>
        <Button
          kind="primary"
          isDisabled={!isUsable || draft.isChecking || saving.isPending || isStale}
          onPress={() => saving.mutate()}
        >
          Save draft
        </Button>
      </PageHead>
      {isStale ? (
        <div className="edit-conflict" role="alert">
          <p>
            <b>Somebody else has saved a draft meanwhile.</b> Your text is still here. Look at the other draft, take
            over what you need, then save.
          </p>
          <Link to="/rules" search={{}} target="_blank" className="button">
            Open the other draft
          </Link>
          <Button
            onPress={async () => {
              const { versions } = await call('listRuleVersions', {})
              draft.rebase(versions[0]?.version ?? 0)
              saving.reset()
            }}
          >
            I have merged it
          </Button>
        </div>
      ) : (
        saving.error && <CallError error={saving.error} />
      )}
      {draft.error && <CallError error={draft.error} />}
      <div className="edit">
        <div className="edit-form" inert={draft.formWaits === 'checking'}>
          <FormOrWhyNot waits={draft.formWaits} onDropComments={draft.dropComments}>
            <Button onPress={() => add(treeOf(newRow), 'New rule', 'WARN')}>Add a rule</Button>
            {rules.map((rule, index) => (
              <RuleForm
                key={rule.id}
                rule={rule}
                vocabulary={words}
                velocities={Object.keys(draft.velocities)}
                notes={notes(rule.id)}
                onChange={(made) => draft.fill({ rules: rules.with(index, made) })}
                onRemove={() => draft.fill({ rules: rules.toSpliced(index, 1) })}
              />
            ))}
            <VelocitiesForm
              velocities={draft.velocities}
              vocabulary={words}
              onChange={(velocities) => draft.fill({ velocities })}
            />
          </FormOrWhyNot>
        </div>
        <div className="edit-side">
          <div className="edit-text">
            <Suspense fallback={<Loading lines={12} />}>
              <TextEditor
                text={draft.text}
                onChange={draft.type}
                mistakes={checked?.mistakes ?? []}
                vocabulary={words}
              />
            </Suspense>
          </div>
          {checked && <Results checked={checked} />}
        </div>
      </div>
    </>
  )
}

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

function freeId(rules: readonly FormRule[]): string {
  for (let number = rules.length + 1; ; number++) {
    const id = `rule-${number}`
    if (!rules.some((rule) => rule.id === id)) return id
  }
}

function CheckBadge({ checked, isChecking }: { checked: CheckedRules | undefined; isChecking: boolean }) {
  if (isChecking || !checked) return <Badge>Checking</Badge>
  const { mistakes, failedCases, cost } = checked
  if (mistakes.length > 0)
    return <Badge tone="red">{mistakes.length === 1 ? '1 mistake' : `${mistakes.length} mistakes`}</Badge>
  if (failedCases.length > 0)
    return <Badge tone="red">{failedCases.length === 1 ? '1 case fails' : `${failedCases.length} cases fail`}</Badge>
  if (cost.microseconds > cost.budget) return <Badge tone="red">Too expensive</Badge>
  return <Badge tone="green">Valid</Badge>
}

function Cost({ cost: { microseconds, budget, costliest } }: { cost: CheckedRules['cost'] }) {
  const text = `A decision takes at most ${microseconds} of ${budget} µs of CPU time for these rules.`
  if (microseconds <= budget) return <li>{text}</li>
  const named = costliest.map((each) => `${each.name} (${each.microseconds})`).join(', ')
  return (
    <li className="mistake">
      {text} They cannot be published. The most expensive: {named}.
    </li>
  )
}

function Results({ checked }: { checked: CheckedRules }) {
  const { mistakes, failedCases, cases, operatorCalls, cost, blocksEverybody } = checked
  return (
    <Card title="Check">
      <ul className="check-list">
        {mistakes.map(({ line, column, reason }) => (
          <li key={`${line} ${column} ${reason}`} className="mistake">
            Line {line}, column {column}: {reason}
          </li>
        ))}
        {failedCases.map(({ rule, number, name, expected }) => (
          <li key={`${rule} ${number}`} className="mistake">
            Rule {rule}, {name ?? `case ${number}`}:{' '}
            {expected === 'fires' ? 'it should fire, and stays silent' : 'it should stay silent, and fires'}
          </li>
        ))}
        {blocksEverybody && <li className="mistake">These rules block every session.</li>}
        {mistakes.length === 0 && (
          <li>
            {cases === 0
              ? 'No rule has a case yet.'
              : failedCases.length === 0
                ? `All ${cases} cases pass.`
                : `${cases - failedCases.length} of ${cases} cases pass.`}
          </li>
        )}
        {mistakes.length === 0 && <Cost cost={cost} />}
        {operatorCalls.map(({ check, readBy }) => (
          <li key={check}>
            {readBy.join(', ')}: a decision calls the operator for a {checkTitle(check)} check, unless it is decided
            without. Operators may charge for it.
          </li>
        ))}
      </ul>
    </Card>
  )
}
