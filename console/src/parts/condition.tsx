// What does a condition of a rule look like? Its words, texts and numbers in colours, so that it can be read at a glance.

import { pieces } from './condition-pieces.ts'

export function Condition({ text, framed = false }: { text: string; framed?: boolean }) {
  return (
    <code className={framed ? 'condition framed' : 'condition'}>
      {pieces(text).map(({ at, text: piece, kind }) => (
        <span key={at} className={kind}>
          {piece}
        </span>
      ))}
    </code>
  )
}
