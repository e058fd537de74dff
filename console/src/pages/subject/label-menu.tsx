// How did a session turn out? The menu that says it of a report or decision. Devices and rules learn from it.

import { Header, MenuSection, MenuTrigger } from 'react-aria-components'
import { useMay } from '../../api/session.tsx'
import { useChange } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Item, Menu } from '../../parts/overlay.tsx'
import { texts } from '../../texts.ts'

type Label = keyof typeof texts.labels

interface LabelMenuProps {
  of: { readonly dfrId: string } | { readonly decisionId: string }
  /** On the button, until there is a label. */
  name: string
  kind?: 'primary' | 'plain'
  given?: Label | undefined
  /** Names of the calls whose answers the label changes. */
  reads: readonly string[]
}

export function LabelMenu({ of, name, kind = 'plain', given, reads }: LabelMenuProps) {
  const may = useMay()
  const labelling = useChange((call, outcome: Label) => call('label', { labels: [{ ...of, outcome }] }), { reads })
  const label = labelling.isSuccess ? labelling.variables : given
  if (!may('decisions.label')) return null
  return (
    <>
      <MenuTrigger>
        <Button kind={kind} isDisabled={labelling.isPending}>
          {label ? `Labelled: ${texts.labels[label]}` : name}
          <Icon name="down" size={14} />
        </Button>
        <Menu aria-label="Label" onAction={(key) => labelling.mutate(key as Label)}>
          <MenuSection>
            <Header>How did it turn out?</Header>
            {Object.entries(texts.labels).map(([id, text]) => (
              <Item key={id} id={id}>
                {text}
              </Item>
            ))}
          </MenuSection>
        </Menu>
      </MenuTrigger>
      {labelling.error && <CallError error={labelling.error} />}
    </>
  )
}
