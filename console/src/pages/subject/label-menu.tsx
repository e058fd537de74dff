// How did a session turn out? The menu that says it of a report or decision. Devices and rules learn from it.

import { useMay } from '../../api/session.tsx'
import { useChange } from '../../api/use-call.ts'
import { CallError } from '../../parts/forms/call-error.tsx'
import { type Outcome, OutcomeMenu } from '../../parts/outcome-menu.tsx'
import { texts } from '../../texts.ts'

interface LabelMenuProps {
  of: { readonly dfrId: string } | { readonly decisionId: string }
  /** On the button, until there is a label. */
  name: string
  kind?: 'primary' | 'plain'
  given?: Outcome | undefined
  /** Names of the calls whose answers the label changes. */
  reads: readonly string[]
}

export function LabelMenu({ of, name, kind = 'plain', given, reads }: LabelMenuProps) {
  const may = useMay()
  const labelling = useChange((call, outcome: Outcome) => call('label', { labels: [{ ...of, outcome }] }), { reads })
  const label = labelling.isSuccess ? labelling.variables : given
  if (!may('decisions.label')) return null
  return (
    <>
      <OutcomeMenu
        name={label ? `Labelled: ${texts.labels[label]}` : name}
        question="How did it turn out?"
        kind={kind}
        isDisabled={labelling.isPending}
        onChoose={(outcome) => labelling.mutate(outcome)}
      />
      {labelling.error && <CallError error={labelling.error} />}
    </>
  )
}
