// What can be done with a decision? Say how it turned out, put a value of it into a list, start a rule from it.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Header, MenuSection, MenuTrigger } from 'react-aria-components'
import { useMay, useSession } from '../../api/session.tsx'
import type { InvestigatedDecision } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Item, Menu } from '../../parts/overlay.tsx'
import { texts } from '../../texts.ts'
import { AddToList } from './add-to-list.tsx'

type Label = keyof typeof texts.labels

export function DecisionActions({ decision }: { decision: InvestigatedDecision }) {
  const may = useMay()
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      {may('lists.write') && may('lists.read') && <Button onPress={() => setAdding(true)}>Add to a list</Button>}
      {may('rules.read') && (
        <Button onPress={() => void navigate({ to: '/rules', search: { from: decision.decisionId } as never })}>
          Start a rule
        </Button>
      )}
      <LabelButton decision={decision} />
      {isAdding && <AddToList decision={decision} onClose={() => setAdding(false)} />}
    </>
  )
}

/** The button that says how the session turned out. Devices and rules learn from it. */
function LabelButton({ decision: { decisionId, labels } }: { decision: InvestigatedDecision }) {
  const { call } = useSession()
  const may = useMay()
  const queries = useQueryClient()
  const labelling = useMutation({
    mutationFn: (outcome: Label) => call('label', { labels: [{ decisionId, outcome }] }),
    onSuccess: () =>
      Promise.all(['readDecision', 'searchEvents'].map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  })
  const given = labelling.variables && labelling.isSuccess ? labelling.variables : labels[0]?.outcome
  if (!may('decisions.label')) return null
  return (
    <>
      <MenuTrigger>
        <Button kind="primary" isDisabled={labelling.isPending}>
          {given ? `Labelled: ${texts.labels[given]}` : 'Label'}
          <Icon name="down" size={14} />
        </Button>
        <Menu aria-label="Label" onAction={(key) => labelling.mutate(key as Label)}>
          <MenuSection>
            <Header>How did it turn out?</Header>
            {(Object.entries(texts.labels) as [Label, string][]).map(([label, name]) => (
              <Item key={label} id={label}>
                {name}
              </Item>
            ))}
          </MenuSection>
        </Menu>
      </MenuTrigger>
      {labelling.error && <CallError error={labelling.error} />}
    </>
  )
}
