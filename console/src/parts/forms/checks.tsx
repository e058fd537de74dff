// What does a person tick? One statement, or several of a list.

import type { ReactNode } from 'react'
import { Checkbox, CheckboxGroup, Label, Text } from 'react-aria-components'
import { Icon } from '../icon.tsx'

interface CheckProps {
  isSelected: boolean
  onChange: (isSelected: boolean) => void
  children: ReactNode
}

export function Check({ children, ...props }: CheckProps) {
  return (
    <Checkbox {...props} className="check">
      <Box />
      <span>{children}</span>
    </Checkbox>
  )
}

interface ChecksProps<Value extends string> {
  label: string
  description?: ReactNode
  /** Names of the values, in their order. */
  options: Readonly<Record<Value, string>>
  value: readonly Value[]
  onChange: (value: Value[]) => void
}

export function Checks<Value extends string>({ label, description, options, value, onChange }: ChecksProps<Value>) {
  return (
    <CheckboxGroup className="checks" value={[...value]} onChange={(chosen) => onChange(chosen as Value[])}>
      <Label>{label}</Label>
      {description && <Text slot="description">{description}</Text>}
      <div className="checks-list">
        {Object.entries<string>(options).map(([id, name]) => (
          <Checkbox key={id} value={id} className="check">
            <Box />
            <span>{name}</span>
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  )
}

/** One of a `CheckboxGroup` that has its own layout. */
export function GroupedCheck({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Checkbox value={value} className="check">
      <Box />
      <span>{children}</span>
    </Checkbox>
  )
}

const Box = () => (
  <i className="check-box" aria-hidden="true">
    <Icon name="check" size={12} />
  </i>
)
