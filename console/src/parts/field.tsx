// What does a person type into or choose from? Fields with a label, a description and an error.

import type { ReactNode } from 'react'
import {
  Button as AriaButton,
  Select as AriaSelect,
  TextField as AriaTextField,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
  type TextFieldProps,
} from 'react-aria-components'
import { FieldMistake } from './forms/field-mistake.tsx'
import { Icon } from './icon.tsx'

export interface OwnTextFieldProps extends Omit<TextFieldProps, 'className' | 'style' | 'children'> {
  label: string
  description?: ReactNode
  placeholder?: string
}

export function TextField({ label, description, placeholder, ...props }: OwnTextFieldProps) {
  return (
    <AriaTextField {...props} className="field">
      <Label>{label}</Label>
      <Input className="input" {...(placeholder !== undefined && { placeholder })} />
      {description && <Text slot="description">{description}</Text>}
      <FieldMistake />
    </AriaTextField>
  )
}

interface SelectProps<Value extends string> {
  label: string
  /** Names of the values, in their order. */
  options: Readonly<Record<Value, string>>
  value: Value | undefined
  onChange: (value: Value) => void
  placeholder?: string
  /** The label is read aloud but not shown. */
  bare?: boolean
}

export function Select<Value extends string>({
  label,
  options,
  value,
  onChange,
  placeholder,
  bare,
}: SelectProps<Value>) {
  return (
    <AriaSelect
      className={bare ? 'field bare' : 'field'}
      selectedKey={value ?? null}
      onSelectionChange={(key) => onChange(key as Value)}
      {...(placeholder !== undefined && { placeholder })}
      {...(bare && { 'aria-label': label })}
    >
      {!bare && <Label>{label}</Label>}
      <AriaButton className="select">
        <SelectValue />
        <Icon name="down" size={14} />
      </AriaButton>
      <Popover className="popover" offset={4}>
        <ListBox className="menu">
          {Object.entries<string>(options).map(([id, name]) => (
            <ListBoxItem key={id} id={id} className="menu-item" textValue={name}>
              {name}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
