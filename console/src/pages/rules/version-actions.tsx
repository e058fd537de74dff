// What can be done with a version? Edit it, run it in shadow or over the past, and ask to publish it.

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { PublicationPreview, RuleVersions } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Loading } from '../../parts/empty.tsx'
import { TextField } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Link } from '../../parts/link.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { versionName } from '../decision/rules-card.tsx'
import './rules.css'

type Stages = RuleVersions['versions'][number]['stages']

/** Calls whose answers change with the stages of versions. */
export const rulesReads = [
  ...['listRuleVersions', 'readRuleHistory', 'readRules', 'listPublications', 'compareRuleShadow'],
  'readOverview',
]

interface VersionActionsProps {
  version: number
  stages: Stages
  live: number | undefined
  /** What runs in shadow. */
  shadow: RuleVersions['shadow']
  rollBack: RuleVersions['rollBack']
}

export function VersionActions({ version, stages, live, shadow, rollBack }: VersionActionsProps) {
  const may = useMay()
  const mayWrite = may('rules.write')
  const navigate = useNavigate()
  const [published, setPublished] = useState<number>()
  const isInShadow = shadow?.version === version
  const [isReplacing, setReplacing] = useState(false)
  const shadowing = useChange(
    (call) => (isInShadow ? call('endRuleShadow', {}) : call('startRuleShadow', { version })),
    { reads: rulesReads },
  )
  const shadowOrAsk = () => (isInShadow || shadow === undefined ? shadowing.mutate() : setReplacing(true))
  const backtest = useChange((call) => call('startBacktest', { version }), {
    onDone: ({ backtestId }) => void navigate({ to: '/rules/backtest', search: { id: backtestId } }),
  })
  if (!mayWrite) return null
  const error = shadowing.error ?? backtest.error
  return (
    <>
      <Button isDisabled={backtest.isPending} onPress={() => backtest.mutate()}>
        Backtest
      </Button>
      {!stages.includes('live') && (
        <>
          <Button isDisabled={shadowing.isPending} onPress={shadowOrAsk}>
            {isInShadow ? 'End shadow' : shadow === undefined ? 'Run in shadow' : 'Run in shadow…'}
          </Button>
          <Button onPress={() => setPublished(version)}>
            {live !== undefined && version < live ? 'Roll back…' : 'Publish…'}
          </Button>
        </>
      )}
      {stages.includes('live') && rollBack && may('rules.publish') && (
        <Button onPress={() => setPublished(rollBack.version)}>
          Roll back to {versionName(rollBack.version).toLowerCase()}…
        </Button>
      )}
      <Link to="/rules/edit" search={{ base: version }} className="button primary">
        Edit
      </Link>
      {error && <CallError error={error} />}
      {shadow !== undefined && (
        <Confirm
          title={`Run ${versionName(version).toLowerCase()} in shadow?`}
          action="Replace it"
          isOpen={isReplacing}
          onClose={() => setReplacing(false)}
          onConfirm={(call) => call('startRuleShadow', { version, ends: shadow.version })}
          reads={rulesReads}
        >
          <p>
            One version runs in shadow at a time. {shadow.startedBy} started the shadow of{' '}
            {versionName(shadow.version).toLowerCase()} <Time at={shadow.startedAt} />: it ends.
          </p>
        </Confirm>
      )}
      {published !== undefined && <PublishDialog version={published} onClose={() => setPublished(undefined)} />}
    </>
  )
}

function PublishDialog({ version, onClose }: { version: number; onClose: () => void }) {
  const [note, setNote] = useState('')
  const preview = useRead('previewPublication', { version }, { gcTime: 0, retry: false })
  const asking = useChange(
    (call, alone: boolean) => call('requestPublication', { version, note, ...(alone && { alone }) }),
    { reads: rulesReads, onDone: onClose },
  )
  const agreement = preview.data?.agreement
  const isRollBack = agreement === 'rollBack'
  const isAlone = isRollBack || agreement === 'alone'
  return (
    <Dialog
      title={`${isRollBack ? 'Roll back to' : 'Publish'} ${versionName(version).toLowerCase()}`}
      isOpen
      onClose={onClose}
    >
      {preview.error ? (
        <CallError error={preview.error} />
      ) : !preview.data ? (
        <>
          <p className="dim">Replaying the last decisions…</p>
          <Loading lines={3} />
        </>
      ) : (
        <DialogForm
          className="publish"
          change={asking}
          onSubmit={() => asking.mutate(isAlone)}
          onClose={onClose}
          action={isRollBack ? 'Roll back now' : isAlone ? 'Publish alone' : 'Ask for approval'}
          kind={agreement === 'alone' ? 'danger' : 'primary'}
          isDisabled={preview.data.agreement === 'nobody'}
        >
          <Impact preview={preview.data} />
          <TextField label="Why" value={note} onChange={setNote} isRequired maxLength={500} />
        </DialogForm>
      )}
    </Dialog>
  )
}

const agreements = {
  rollBack:
    'It was live until a few days ago, so you roll back alone. It is live at once, and the audit log says that it was you.',
  anotherPerson: 'Another person has to approve before it is live.',
  alone:
    'You are the only person who may publish, so nobody can approve. It is live at once, and the audit log says that you were alone.',
  nobody: 'A second person has to approve, and nobody else may. Invite a second person with the role admin first.',
} as const

function Impact({
  preview: { decisions, newlyBlocked, newlyChallenged, noLongerBlocked, warnings, agreement },
}: {
  preview: PublicationPreview
}) {
  return (
    <div className="publish-impact">
      {decisions > 0 && (
        <p>
          Of the last <b>{decisions.toLocaleString(locale)}</b> decisions it would block{' '}
          <b>{newlyBlocked.toLocaleString(locale)}</b> that are not blocked now, challenge{' '}
          <b>{newlyChallenged.toLocaleString(locale)}</b> more, and let <b>{noLongerBlocked.toLocaleString(locale)}</b>{' '}
          through that are.
        </p>
      )}
      <Warnings warnings={warnings} />
      <p className="dim">{agreements[agreement]}</p>
    </div>
  )
}

export function Warnings({ warnings }: Pick<PublicationPreview, 'warnings'>) {
  return warnings.map(({ kind }) => (
    <p
      key={kind}
      className={kind === 'blocksEverybody' || kind === 'blocksMany' ? 'publish-warning grave' : 'publish-warning'}
    >
      {warningTexts[kind]}
    </p>
  ))
}

const warningTexts = {
  blocksEverybody: 'It would block everybody: a rule that blocks fires for every session.',
  blocksMany: 'It would block more than 5 % of the last decisions that are not blocked now.',
  notMeasured: 'Too few decisions are stored to say what it would do.',
  untried: 'It was never in shadow.',
} as const
