// What can be done with a decision? Say how it turned out, put a value of it into a list, start a rule from it.

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { InvestigatedDecision } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { LabelMenu } from '../subject/label-menu.tsx'
import { AddToList } from './add-to-list.tsx'

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
      <LabelMenu
        of={{ decisionId: decision.decisionId }}
        name="Label"
        kind="primary"
        given={decision.labels[0]?.outcome}
        reads={['readDecision', 'searchEvents']}
      />
      {isAdding && <AddToList decision={decision} onClose={() => setAdding(false)} />}
    </>
  )
}
