// What does a button look like? Four weights; one of them `primary` per view.

import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components'

interface OwnButtonProps extends Omit<ButtonProps, 'className' | 'children' | 'style'> {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  /** Of an icon alone; give an `aria-label` too. */
  square?: boolean
  children: ReactNode
}

export function Button({ kind = 'plain', square = false, ...props }: OwnButtonProps) {
  return <AriaButton {...props} className={`button ${kind}${square ? ' square' : ''}`} />
}
