// Is this the same body again? Its text as JSON, of bodies that are not nested beyond reason.

import { Refusal } from '../../errors.ts'

const deepest = 64

/** The text by which two bodies are compared. Refuses with `invalidJson` what is nested too deeply to be written again. */
export function bodyText(body: object): string {
  if (!isNestedWithin(body, deepest)) throw new Refusal('invalidJson')
  return JSON.stringify(body)
}

/** Level by level and without recursion, which a hostile body would exhaust. */
function isNestedWithin(value: object, levels: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return false
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []))
  }
  return true
}
