// What is a link of the console? One of the router, with one state: `aria-current` says where a person is, and style sheets read nothing else.

import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** By default: whether the URL is that of the link. */
  isCurrent?: boolean
}

function Anchor({ isCurrent, 'aria-current': found, ...props }: AnchorProps) {
  const isHere = isCurrent ?? (found === 'page' || found === true)
  const { 'data-status': _, ...rest } = props as AnchorProps & { 'data-status'?: string }
  return <a {...rest} aria-current={isHere ? 'page' : undefined} />
}

export const Link = createLink(Anchor)
