// Is an answer what the page shows? `…` is anything.

import assert from 'node:assert/strict'
import type { Block } from './blocks.ts'

/** What a page shows of a block of commands: the json or text block below it. */
export function compareWithShown(block: Block, below: Block | undefined, printed: string): number {
  const lines = printed.split('\n').filter((line) => line.trim() !== '')
  let compared = 0
  let from = 0
  for (const shown of below?.language === 'text' ? below.text.trim().split('\n') : []) {
    const found = lines.findIndex((line, at) => at >= from && patternOf(shown).test(line))
    assert.ok(found >= 0, `the page shows\n${shown}\nThe reader got\n${lines.slice(from).join('\n')}`)
    from = found + 1
    compared++
  }
  if (below?.language === 'json') {
    const shown = shownJson(below.text)
    const last =
      lines.findLast((line) => line.startsWith('{') || line.startsWith('[')) ??
      assert.fail(`no answer before ${below.text}`)
    const answer: unknown = JSON.parse(last)
    assert.deepEqual(partsOf(answer, shown), shown, last)
    compared++
  }
  if (compared === 0) assert.doesNotMatch(printed, /"(errorCode|code|error)":/, block.text)
  return compared
}

/** Ids and times are those of another reader. */
const ownValue = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-\d{10})?\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Between members there may be others, which the page leaves out. */
function patternOf(shown: string): RegExp {
  const parts = shown
    .trim()
    .replaceAll(ownValue, '…')
    .replaceAll(',…', '…')
    .replaceAll(/(?<=[{,])"/g, '…"')
    .split('…')
  return new RegExp(`^\\s*${parts.map((part) => RegExp.escape(part)).join('.*')}\\s*$`)
}

/** Strings may contain `…`; a `…` among members says that there are more. */
function shownJson(text: string): unknown {
  const parts = text.split(/("(?:[^"\\]|\\.)*")/)
  return JSON.parse(parts.map((part, at) => (at % 2 === 1 ? part : part.replace(/,\s*…|…\s*,?/g, ''))).join(''))
}

/** The parts of the answer that the page shows. */
function partsOf(answer: unknown, shown: unknown): unknown {
  if (typeof shown === 'string' && typeof answer === 'string') return patternOf(shown).test(answer) ? shown : answer
  if (Array.isArray(shown) && Array.isArray(answer)) return answer.map((each, index) => partsOf(each, shown[index]))
  if (typeof shown !== 'object' || shown === null || typeof answer !== 'object' || answer === null) return answer
  const members = answer as Record<string, unknown>
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, partsOf(members[name], value)]))
}
