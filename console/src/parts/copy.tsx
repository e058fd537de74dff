// How is an id copied? A short form of it is a button, which copies the whole.

import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'

interface CopyProps {
  value: string
  /** What is shown; by default the value. */
  children?: React.ReactNode
}

export function Copy({ value, children = value }: CopyProps) {
  const [isCopied, setCopied] = useState(false)
  // The label has what is shown, so that people who speak to the page can name the button.
  const label = children === '' || !String(children).startsWith(texts.common.copy) ? texts.common.copy : ''
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <AriaButton className="copy" data-named={label === '' || undefined} onPress={() => void copy()}>
      <code>{children}</code>
      <Icon name={isCopied ? 'check' : 'copy'} size={13} />
      <span className="visually-hidden" aria-live="polite">
        {isCopied ? texts.common.copied : label}
      </span>
    </AriaButton>
  )
}
