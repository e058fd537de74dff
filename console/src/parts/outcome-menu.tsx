// How did it turn out? The button and menu of the labels, of one decision or of many.

import { Header, MenuSection, MenuTrigger } from 'react-aria-components'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { Item, Menu } from './overlay.tsx'

export type Outcome = keyof typeof texts.labels

interface OutcomeMenuProps {
  /** On the button. */
  name: string
  question: string
  kind?: 'primary' | 'plain'
  isDisabled: boolean
  onChoose: (outcome: Outcome) => void
}

export function OutcomeMenu({ name, question, kind = 'plain', isDisabled, onChoose }: OutcomeMenuProps) {
  return (
    <MenuTrigger>
      <Button kind={kind} isDisabled={isDisabled}>
        {name} <Icon name="down" size={14} />
      </Button>
      <Menu aria-label="Label" onAction={(key) => onChoose(key as Outcome)}>
        <MenuSection>
          <Header>{question}</Header>
          {Object.entries(texts.labels).map(([id, text]) => (
            <Item key={id} id={id}>
              {text}
            </Item>
          ))}
        </MenuSection>
      </Menu>
    </MenuTrigger>
  )
}
