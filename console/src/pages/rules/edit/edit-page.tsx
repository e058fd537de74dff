// How are rules written? A list of them on the left, the open one on the right: by a form or as text, checked while it is typed.

import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { RuleVersions } from '../../../api/types.ts'
import { useRead } from '../../../api/use-call.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Failed, Loading } from '../../../parts/empty.tsx'
import { CallError } from '../../../parts/forms/call-error.tsx'
import { Link } from '../../../parts/link.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { RuleLines } from '../rule-lines.tsx'
import { useFigures } from '../use-figures.ts'
import { changesOf } from './changes.ts'
import { CheckBadge } from './check-results.tsx'
import { newRow, treeOf } from './conditions.ts'
import { Conflict } from './conflict.tsx'
import { DraftBar } from './draft-bar.tsx'
import { DraftCopy } from './draft-copy.tsx'
import { OpenPane, parts } from './open-pane.tsx'
import { StartFrom } from './start-from.tsx'
import { addRule, startedName, useStartedRule } from './start-rule.ts'
import { useDraft } from './use-draft.ts'
import { useDraftName } from './use-draft-name.ts'
import { useSaving } from './use-saving.ts'
import './edit.css'

export function EditRulesPage() {
  const { base } = useSearch({ from: '/rules/edit' })
  const versions = useRead('listRuleVersions', {})
  if (!versions.data) return versions.error ? <Failed error={versions.error} /> : <Loading lines={12} />
  return <EditRules key={base ?? 'live'} base={base} {...versions.data} />
}

type EditRulesProps = RuleVersions & { base: number | undefined }

function EditRules({ base, versions }: EditRulesProps) {
  const { from, list } = useSearch({ from: '/rules/edit' })
  const live = versions.find(({ stages }) => stages.includes('live'))?.version ?? 0
  // What is live may change while somebody edits.
  const [version] = useState(base ?? live)
  const draft = useDraft(version)
  const vocabulary = useRead('readRuleVocabulary', {}, { staleTime: Number.POSITIVE_INFINITY })
  const figures = useFigures(version)
  const naming = useDraftName(version, versions, startedName({ from, list }))
  const saving = useSaving(draft, naming.name)
  const [openId, setOpenId] = useState<string>()
  const [isText, setText] = useState(false)
  const [isKept, setKept] = useState(false)
  const words = vocabulary.data
  const open = (id: string) => {
    setOpenId(id)
    setText(false)
  }
  useStartedRule({ from, list }, draft, words, open)

  const error = vocabulary.error ?? (draft.text === undefined ? draft.error : null)
  if (error) return <Failed error={error} />
  if (!words || draft.text === undefined) return <Loading lines={12} />
  const { checked, rules, velocities } = draft
  const changes = changesOf(draft.base, draft)
  const isChosen = openId !== undefined || isText
  const shownId = rules.some(({ id }) => id === openId) || parts.some(({ id }) => id === openId) ? openId : rules[0]?.id
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
        under="A draft decides nothing until it is published."
      >
        <StartFrom version={version} live={live} versions={versions} />
        <Link to="/rules" search={{}} className="button quiet">
          Cancel
        </Link>
      </PageHead>
      {saving.isConflict ? (
        <Conflict draft={draft} naming={naming} versions={versions} saving={saving} />
      ) : (
        saving.error && <CallError error={saving.error} />
      )}
      {draft.error && <CallError error={draft.error} />}
      <DraftCopy draft={draft} name={naming.name} onName={naming.rename} onKept={setKept} />
      <div className="edit" data-chosen={isChosen || undefined}>
        <RuleLines
          rules={rules}
          figures={figures}
          changed={changes.rules}
          openId={shownId}
          onOpen={setOpenId}
          aside={
            <Button
              isDisabled={draft.formWaits !== undefined}
              onPress={() => open(addRule(draft, { name: 'New rule', tree: treeOf(newRow), action: 'WARN' }))}
            >
              Add a rule
            </Button>
          }
        >
          {parts.map(({ id, title, about }) => (
            <button
              key={id}
              type="button"
              className="edit-part"
              aria-current={id === shownId}
              data-open={id === shownId || undefined}
              onClick={() => open(id)}
            >
              <b>{title}</b>
              <span className="dim">{about(draft)}</span>
            </button>
          ))}
        </RuleLines>
        <OpenPane
          openId={shownId}
          draft={draft}
          vocabulary={words}
          figures={figures}
          velocities={Object.keys(velocities)}
          isText={isText}
          onText={setText}
          onClose={() => {
            setOpenId(undefined)
            setText(false)
          }}
        />
      </div>
      <DraftBar draft={draft} changes={changes} naming={naming} saving={saving} isKept={isKept} live={live} />
    </>
  )
}
