// What stands at the top of a page? Its title, what it is about, and what can be done with all of it.

import { type ReactNode, useEffect } from 'react'
import { texts } from '../texts.ts'
import type { Tone } from './actions.ts'

interface PageHeadProps {
  title: string
  /** What kind of thing it is, above the title. */
  over?: string
  /** Of the title: a mark before it has the colour. */
  tone?: Tone
  /** A sentence that says it all, in place of the title, which then names the page only in the browser's tab. */
  headline?: string
  /** In the line of the title. */
  beside?: ReactNode
  under?: ReactNode
  /** Buttons, on the right. */
  children?: ReactNode
}

export function PageHead({ title, headline, over, tone, beside, under, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${over ? `${over}: ` : ''}${title} · ${texts.product}`
  }, [title, over])
  return (
    <header className="page-head">
      <div>
        {over && <p className="page-over">{over}</p>}
        <div className="page-title" data-sentence={headline === undefined ? undefined : true}>
          {tone && <i className={`title-mark ${tone}`} aria-hidden="true" />}
          <h1 dir="auto">{headline ?? title}</h1>
          {beside}
        </div>
        {under && <div className="page-under">{under}</div>}
      </div>
      {children && <div className="page-actions">{children}</div>}
    </header>
  )
}
