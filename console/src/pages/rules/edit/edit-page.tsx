// How are rules written? By a form and as text, side by side; the service checks them while they are typed.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { problemName } from '../../../api/problem.ts'
import { useSession } from '../../../api/session.tsx'
import type { RuleVocabulary } from '../../../api/types.ts'
import { useChange, useRead } from '../../../api/use-call.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Failed, Loading } from '../../../parts/empty.tsx'
import { CallError } from '../../../parts/forms/call-error.tsx'
import { Link } from '../../../parts/link.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { RequirementsCard } from '../requirements-card.tsx'
import { CheckBadge, Results } from './check-results.tsx'
import { newRow, treeOf } from './conditions.ts'
import { DraftCopy, useCopyKey } from './draft-copy.tsx'
import { RuleForm } from './rule-form.tsx'
import { addRule, useStartedRule } from './start-rule.ts'
import { type Draft, useDraft } from './use-draft.ts'
import { VelocitiesForm } from './velocity-form.tsx'
import './edit.css'

const TextEditor = lazy(() => import('./text-editor.tsx'))

export function EditRulesPage() {
  const { base, from, list } = useSearch({ from: '/rules/edit' })
  const draft = useDraft(base)
  const vocabulary = useRead('readRuleVocabulary', {}, { staleTime: Number.POSITIVE_INFINITY })
  const words = vocabulary.data
  const saving = useSaving(draft)
  useStartedRule({ from, list }, draft, words)

  const error = vocabulary.error ?? (draft.text === undefined ? draft.error : null)
  if (error) return <Failed error={error} />
  if (!words || draft.text === undefined) return <Loading lines={12} />
  const { checked } = draft
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
        <Conflict draft={draft} onMerged={saving.reset} />
      ) : (
        saving.error && <CallError error={saving.error} />
      )}
      {draft.error && <CallError error={draft.error} />}
      <DraftCopy draft={draft} />
      <div className="edit">
        <div className="edit-form" inert={draft.formWaits === 'checking'}>
          <FormOrWhyNot waits={draft.formWaits} onDropComments={draft.dropComments}>
            <RulesForm draft={draft} vocabulary={words} />
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

function useSaving(draft: Draft) {
  const navigate = useNavigate()
  const copy = useCopyKey()
  return useChange((call) => call('saveRuleDraft', { text: draft.text ?? '', basedOn: draft.basedOn }), {
    reads: ['listRuleVersions', 'readRuleHistory', 'readRules'],
    onDone({ version }) {
      localStorage.removeItem(copy)
      void navigate({ to: '/rules', search: { version }, ignoreBlocker: true })
    },
  })
}

/** Somebody else has saved a draft. */
function Conflict({ draft, onMerged }: { draft: Draft; onMerged: () => void }) {
  const { call } = useSession()
  return (
    <div className="edit-conflict" role="alert">
      <p>
        <b>Somebody else has saved a draft meanwhile.</b> Your text is still here. Look at the other draft, take over
        what you need, then save.
      </p>
      <Link to="/rules" search={{}} target="_blank" className="button">
        Open the other draft
      </Link>
      <Button
        onPress={async () => {
          const { versions } = await call('listRuleVersions', {})
          draft.rebase(versions[0]?.version ?? 0)
          onMerged()
        }}
      >
        I have merged it
      </Button>
    </div>
  )
}

function RulesForm({ draft, vocabulary }: { draft: Draft; vocabulary: RuleVocabulary }) {
  const { rules, velocities, checked, fill } = draft
  const notes = (id: string) => [
    ...(checked?.mistakes ?? [])
      .filter(({ rule }) => rule === id)
      .map(({ reason }) => ({ text: reason, isMistake: true })),
    ...(checked?.findings ?? []).filter(({ rule }) => rule === id).map(({ text }) => ({ text, isMistake: false })),
  ]
  return (
    <>
      <Button onPress={() => addRule(draft, { name: 'New rule', tree: treeOf(newRow), action: 'WARN' })}>
        Add a rule
      </Button>
      {rules.map((rule, index) => (
        <RuleForm
          key={rule.id}
          rule={rule}
          vocabulary={vocabulary}
          velocities={Object.keys(velocities)}
          notes={notes(rule.id)}
          onChange={(made) => fill({ rules: rules.with(index, made) })}
          onRemove={() => fill({ rules: rules.toSpliced(index, 1) })}
        />
      ))}
      <RequirementsCard shown={draft.requirements} />
      <VelocitiesForm velocities={velocities} vocabulary={vocabulary} onChange={(made) => fill({ velocities: made })} />
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
