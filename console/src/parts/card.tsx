// What frames a part of a page? A card with a heading and, beside it, what can be done.

import { type ReactNode, useId } from 'react'

interface CardProps {
  title: ReactNode
  /** In the line of the title, on the right. */
  aside?: ReactNode
  /** Without inner margins, for tables. */
  flush?: boolean
  children: ReactNode
}

export function Card({ title, aside, flush = false, children }: CardProps) {
  const id = useId()
  return (
    <section className={`card${flush ? ' flush' : ''}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      <div className="card-body">{children}</div>
    </section>
  )
}

export interface Fact {
  readonly name: string
  readonly value: ReactNode
}

/** Names and values; a value that is not known is left out, never guessed. */
export function Facts({ facts }: { facts: readonly (Fact | undefined)[] }) {
  return (
    <dl className="facts">
      {facts.map((fact) =>
        fact === undefined || fact.value === undefined || fact.value === false ? null : (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <dd>{fact.value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
