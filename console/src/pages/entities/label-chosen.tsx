// How did the decisions of the chosen rows turn out? One call labels them, and the question before it says how many they are.

import { useState } from 'react'
import type { Call } from '../../api/call.ts'
import { useMay } from '../../api/session.tsx'
import type { FoundEvent } from '../../api/types.ts'
import { useChange } from '../../api/use-call.ts'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { type Outcome, OutcomeMenu } from '../../parts/outcome-menu.tsx'
import { locale } from '../../parts/values/locale.ts'
import { texts } from '../../texts.ts'

export type EntityField = 'userId' | 'deviceId' | 'phoneNumber'

/** Of one call, which is one line of the audit log. */
const mostLabels = 100
const days = 30

interface LabelChosenProps {
  field: EntityField
  ids: readonly string[]
  onDone: () => void
}

export function LabelChosen({ field, ids, onDone }: LabelChosenProps) {
  const may = useMay()
  const [asked, setAsked] = useState<{ readonly outcome: Outcome; readonly found: Found }>()
  const [isOpen, setOpen] = useState(false)
  const finding = useChange(
    async (call, outcome: Outcome) => ({ outcome, found: await decisionsOf(call, field, ids) }),
    {
      onDone(answer) {
        setAsked(answer)
        setOpen(true)
      },
    },
  )
  if (!may('decisions.label')) return null
  const decisionIds = asked?.found.decisionIds ?? []
  return (
    <>
      <OutcomeMenu
        name="Label"
        question="How did they turn out?"
        isDisabled={finding.isPending}
        onChoose={(outcome) => finding.mutate(outcome)}
      />
      {finding.error && <CallError error={finding.error} />}
      {asked && (
        <Confirm
          title={`Label ${countOf(decisionIds.length, 'decision')} as ${texts.labels[asked.outcome].toLowerCase()}?`}
          action={decisionIds.length === 0 ? texts.common.close : `Label ${countOf(decisionIds.length, 'decision')}`}
          kind="primary"
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          reads={['listUsers', 'listDevices', 'listNumbers', 'readUser', 'readDevice', 'readNumber']}
          onConfirm={async (call) => {
            if (decisionIds.length === 0) return
            const { outcome } = asked
            await call('label', { labels: decisionIds.map((decisionId) => ({ decisionId, outcome })) })
            onDone()
          }}
        >
          <p>
            {`They are all decisions of the last ${days} days of ${countOf(ids.length, 'row')}. Another label of a decision is replaced. Rules and devices learn from it within a minute.`}
          </p>
          {asked.found.hasMore && (
            <p>
              <b>{`The newest ${mostLabels} only:`}</b> there are more. Repeat it with fewer rows, or label the others
              by the API.
            </p>
          )}
        </Confirm>
      )}
    </>
  )
}

interface Found {
  readonly decisionIds: readonly string[]
  readonly hasMore: boolean
}

/** Two chosen rows may have a decision in common. */
async function decisionsOf(call: Call, field: EntityField, ids: readonly string[]): Promise<Found> {
  const from = new Date(Date.now() - days * 86_400_000).toISOString()
  const found = (await Promise.all(ids.map((id) => newestOf(call, { [field]: id, from })))).flat()
  const newest = found.toSorted((one, other) => other.timestamp.localeCompare(one.timestamp))
  const decisionIds = [...new Set(newest.map(({ data }) => String(data.decisionId)))]
  return { decisionIds: decisionIds.slice(0, mostLabels), hasMore: decisionIds.length > mostLabels }
}

/** One more than can be labelled shows that there are more. A page may have few events although more follow. */
async function newestOf(call: Call, of: { readonly from: string }): Promise<FoundEvent[]> {
  const found: FoundEvent[] = []
  let cursor: string | undefined
  do {
    const page = await call('searchEvents', { ...of, types: ['decision.created'], limit: mostLabels, cursor })
    found.push(...page.events)
    cursor = page.nextCursor
  } while (cursor !== undefined && found.length <= mostLabels)
  return found
}

const countOf = (count: number, what: string) => `${count.toLocaleString(locale)} ${what}${count === 1 ? '' : 's'}`
