// What was changed, what is it based on, and what may follow? A bar at the foot, always in sight.

import { useState } from 'react'
import type { RuleVersions } from '../../../api/types.ts'
import { useChange, useRead } from '../../../api/use-call.ts'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Confirm } from '../../../parts/forms/confirm.tsx'
import { Time } from '../../../parts/values/time.tsx'
import { versionName } from '../../decision/rules-card.tsx'
import type { Changes } from './changes.ts'
import { baseName } from './start-from.tsx'
import type { Draft } from './use-draft.ts'
import type { Naming } from './use-draft-name.ts'
import type { Saving } from './use-saving.ts'
import './edit.css'

interface DraftBarProps {
  draft: Draft
  changes: Changes
  naming: Naming
  saving: Saving
  /** The edit is in this browser. */
  isKept: boolean
  live: number
}

export function DraftBar({ draft, changes, naming, saving, isKept, live }: DraftBarProps) {
  const { checked, isUnfinished, isChecking, isChanged, basedOn } = draft
  const versions = useRead('listRuleVersions', {}).data?.versions ?? []
  const [ends, setEnds] = useState<RuleVersions['shadow']>()
  // Read now: somebody may have started a shadow since the page was opened.
  const asking = useChange((call) => call('listRuleVersions', {}), {
    onDone({ shadow }) {
      if (shadow && (isChanged || shadow.version !== basedOn)) setEnds(shadow)
      else saving.start({ next: 'shadow' })
    },
  })
  const isUsable = !isUnfinished && checked?.mistakes.length === 0 && checked.failedCases.length === 0
  const waits =
    !isUsable || isChecking || saving.isPending || asking.isPending || saving.isConflict || naming.name.trim() === ''
  const { continued } = naming
  return (
    <section className="draft-bar" aria-label="Draft">
      <p>
        <b>{countText(changes)}</b>, based on {lowerFirst(baseName(basedOn, live, versions))}
        {isKept && isChanged && ' · kept in this browser'}
        {continued && !continued.isYours && (
          <span className="draft-of">This stores the next version of the draft of {continued.owner}.</span>
        )}
      </p>
      <TextField label="Name of the draft" value={naming.name} onChange={naming.rename} maxLength={60} />
      <Button isDisabled={waits} onPress={() => saving.start({ next: 'test' })}>
        Test
      </Button>
      <Button isDisabled={waits} onPress={() => asking.mutate()}>
        Shadow
      </Button>
      <Button kind="primary" isDisabled={waits} onPress={() => saving.start({})}>
        Save draft
      </Button>
      {ends && (
        <Confirm
          title="Run this draft in shadow?"
          action="Replace it"
          isOpen
          onClose={() => setEnds(undefined)}
          onConfirm={async () => saving.start({ next: 'shadow', ends: ends.version })}
        >
          <p>
            One version runs in shadow at a time. {ends.startedBy} started the shadow of{' '}
            {versionName(ends.version).toLowerCase()} <Time at={ends.startedAt} />: it ends.
          </p>
        </Confirm>
      )}
    </section>
  )
}

const countText = ({ count }: Changes) => (count === 0 ? 'No change' : count === 1 ? '1 change' : `${count} changes`)
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
