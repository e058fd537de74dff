// When does a second person have to agree before rules are live? Everybody sees it; who may set it changes it here.

import { Radio, RadioGroup } from 'react-aria-components'
import { useMay } from '../../api/session.tsx'
import type { Publications } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import './policy-card.css'

type SecondPerson = Publications['secondPerson']

const policies = {
  whenSeveral: {
    name: 'As soon as two people may publish',
    meaning:
      'The only publisher publishes alone, after a confirmation. Rules that would block many need a second person.',
  },
  always: { name: 'Always', meaning: 'Nobody publishes alone, also not the only publisher.' },
} as const satisfies Record<SecondPerson, { name: string; meaning: string }>

export function PolicyCard() {
  const mayChange = useMay()('rules.policy')
  const { data } = useRead('listPublications', {})
  const setting = useChange((call, chosen: SecondPerson) => call('setPublishPolicy', { secondPerson: chosen }), {
    reads: ['listPublications', 'previewPublication'],
    readsAlways: true,
  })
  if (!data) return null
  const { secondPerson, publishers } = data
  const shown = setting.isPending ? setting.variables : secondPerson
  return (
    <Card title="Approval by a second person">
      {mayChange ? (
        <RadioGroup
          className="policy"
          aria-label="Approval by a second person"
          value={shown}
          isDisabled={setting.isPending}
          onChange={(value) => setting.mutate(value as SecondPerson)}
        >
          {(Object.entries(policies) as [SecondPerson, (typeof policies)[SecondPerson]][]).map(
            ([id, { name, meaning }]) => (
              <Radio key={id} value={id} className="policy-choice">
                <i aria-hidden="true" />
                <span>
                  <b>{name}</b>
                  <span className="dim">{meaning}</span>
                </span>
              </Radio>
            ),
          )}
        </RadioGroup>
      ) : (
        <p>
          {policies[secondPerson].name}. <span className="dim">{policies[secondPerson].meaning}</span>
        </p>
      )}
      <p className="dim policy-people">
        {publishers === 1 ? '1 person may publish.' : `${publishers} people may publish.`}
        {publishers === 1 && shown === 'always' && ' Nobody can publish until a second person may.'}
      </p>
      {setting.error && <CallError error={setting.error} />}
    </Card>
  )
}
