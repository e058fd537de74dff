// What is in a file of rules? Reads YAML for the command line, and reports every mistake with its line.

import {
  Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  visit,
} from 'yaml'
import type { KnownLists } from './language/list-mistake.ts'
import type { RuleSet } from './language/rule.ts'
import { mistakeText, type RuleSetMistake, readRuleSet, writtenRuleSet } from './rule-set.ts'

/** Hostile YAML costs seconds or all memory: the server reads it only in a thread that it ends. These limits catch accidents. */
const largestBytes = 512 * 1024
const deepestBrackets = 40
const deepestIndent = 80

export interface FileMistake {
  line: number
  column: number
  /** Id of the rule, where it has one. */
  rule?: string
  reason: string
}

/** The rules of a file. Do not use them when there is any mistake. With `lists`, the lists that rules name must exist. */
export function readRuleFile(text: string, lists?: KnownLists): { ruleSet: RuleSet; mistakes: FileMistake[] } {
  const refused = (line: number, column: number, reason: string) => ({
    ruleSet: { rules: [] },
    mistakes: [{ line, column, reason }],
  })
  const outsize = sizeMistake(text)
  if (outsize) return refused(outsize.line, 1, outsize.reason)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [error] = document.errors
  if (error) {
    const { line, col } = lines.linePos(error.pos[0])
    const twice = error.code === 'DUPLICATE_KEY' ? duplicateKey(document, error.pos[0], lines) : undefined
    return refused(line, col, twice ?? `not valid YAML: ${error.message.split('\n', 1)[0]}`)
  }
  let content: unknown
  try {
    content = document.toJS({ maxAliasCount: 100 })
  } catch (cause) {
    return refused(1, 1, `not usable: ${(cause as Error).message}`)
  }
  const { ruleSet, mistakes } = readRuleSet(content, { lists })
  const nodeAt = (path: readonly (string | number)[]) => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true)
    return isNode(node) ? node : undefined
  }
  return { ruleSet, mistakes: mistakes.map((mistake) => placed(mistake, nodeAt, text, lines)) }
}

/** What to do about the key at this offset, which its map has before: `rules` twice, when a guide's example was added to a file. */
function duplicateKey(document: Document, offset: number, lines: LineCounter): string | undefined {
  let reason: string | undefined
  visit(document, {
    Map(_, { items }) {
      const again = items.find(({ key }) => isNode(key) && key.range?.[0] === offset)
      const name = isScalar(again?.key) ? again.key.value : undefined
      const first = items.find(({ key }) => isScalar(key) && key.value === name)
      if (name === undefined || first === undefined || first === again || !isNode(first.key)) return undefined
      const shown = JSON.stringify(name).slice(0, 64)
      const before = `the key ${shown} is in line ${lines.linePos(first.key.range![0]).line} already`
      reason = isCollection(first.value)
        ? `${before}: merge them; move what is below this line to the end of the first, and delete this line`
        : `${before}: delete one of them`
      return visit.BREAK
    },
  })
  return reason
}

/** A rule set as the text of a file. */
export const ruleFileText = (ruleSet: RuleSet): string => ruleText(writtenRuleSet(ruleSet))

/** The same of what may have mistakes. What an action requires is in one line. */
export function ruleText(written: object): string {
  const document = new Document(written, { aliasDuplicateObjects: false })
  const required = document.get('require')
  if (isMap(required)) for (const { value } of required.items) if (isSeq(value)) value.flow = true
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

function sizeMistake(text: string): { line: number; reason: string } | undefined {
  if (text.length > largestBytes) return { line: 1, reason: `a file of rules has at most ${largestBytes / 1024} KiB` }
  let brackets = 0
  for (const [index, line] of text.split('\n').entries()) {
    let indent = 0
    while (' -?:'.includes(line[indent] ?? 'x')) indent++
    for (const char of line) {
      if (char === '[' || char === '{') brackets++
      else if (char === ']' || char === '}') brackets = Math.max(0, brackets - 1)
    }
    if (indent > deepestIndent || brackets > deepestBrackets) {
      return { line: index + 1, reason: 'nested too deeply for rules; is a bracket left open?' }
    }
  }
  return undefined
}

/** The line and column in the file: of the exact character when the file contains the condition unescaped. */
function placed(
  mistake: RuleSetMistake,
  nodeAt: (path: readonly (string | number)[]) => Node | undefined,
  text: string,
  lines: LineCounter,
): FileMistake {
  const rule = mistake.rule === undefined ? {} : { rule: mistake.rule }
  let { at } = mistake
  while (at.length > 0 && !nodeAt(at)) at = at.slice(0, -1)
  const node = nodeAt(at)
  const start = node?.range?.[0] ?? 0
  const offset = node && isScalar(node) ? offsetWithin(node, mistake, text) : undefined
  const { line, col } = lines.linePos(offset ?? start)
  const found =
    at.length === mistake.at.length ? mistake.reason : mistakeText({ ...mistake, at: mistake.at.slice(at.length) })
  if (offset !== undefined || mistake.line === undefined) return { line, column: col, ...rule, reason: found }
  return {
    line,
    column: col,
    ...rule,
    reason: `line ${mistake.line}, column ${mistake.column} of the condition: ${mistake.reason}`,
  }
}

function offsetWithin(
  { value, range, type }: Scalar,
  { line, column }: RuleSetMistake,
  text: string,
): number | undefined {
  if (typeof value !== 'string' || line === undefined || column === undefined || !range) return undefined
  const [from, to] = range
  const opening = type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE ? 1 : 0
  if (text.slice(from + opening, to - opening) === value && line === 1) return from + opening + column - 1
  if (type !== Scalar.BLOCK_LITERAL) return undefined
  // The header (`|`) is a separate line, and the first line of the text sets the indentation.
  const block = text.slice(text.indexOf('\n', from) + 1, to)
  const indent = block.length - block.trimStart().length
  const before = block.split('\n').slice(0, line - 1)
  return to - block.length + before.reduce((sum, each) => sum + each.length + 1, 0) + indent + column - 1
}
