// What does a person type in several lines?

import type { ReactNode } from 'react'
import {
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  Label,
  Text,
  type TextFieldProps,
} from 'react-aria-components'
import { FieldMistake } from './field-mistake.tsx'

interface OwnTextAreaProps extends Omit<TextFieldProps, 'className' | 'style' | 'children'> {
  label: string
  description?: ReactNode
  placeholder?: string
  rows?: number
  /** For ids, URLs and code. */
  isCode?: boolean
}

export function TextArea({ label, description, placeholder, rows = 3, isCode = false, ...props }: OwnTextAreaProps) {
  return (
    <AriaTextField {...props} className="field">
      <Label>{label}</Label>
      <AriaTextArea
        className={`input area${isCode ? ' code' : ''}`}
        rows={rows}
        spellCheck={!isCode}
        {...(placeholder !== undefined && { placeholder })}
      />
      {description && <Text slot="description">{description}</Text>}
      <FieldMistake />
    </AriaTextField>
  )
}

/** What is in the lines, without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
