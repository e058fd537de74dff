// How is a condition written as text? Prints a condition, and parses the text into exactly the same condition.

import { isWord, readToken, type Token, Unreadable } from './lexer.ts'
import { openParts } from './paths.ts'
import { type Comparison, type Condition, ConditionMistake, caps, type Literal } from './rule.ts'

const keywords = ['and', 'or', 'not', 'in', 'between', 'prefix', 'exists', 'inList', 'true', 'false']
const binary = ['==', '!=', '<', '<=', '>', '>=']

/** Offsets of the path and of each value of a comparison in its text. */
export interface Offsets {
  path: number
  values: number[]
}

export interface ParsedCondition {
  condition: Condition
  offsets: ReadonlyMap<Condition, Offsets>
}

/**
 * Parses the text of a condition. `readCondition` checks its paths and types.
 *
 *     or          = and { "or" and }
 *     and         = unary { "and" unary }
 *     unary       = "not" unary | "(" or ")" | comparison
 *     comparison  = path                                      a flag that is true
 *                 | path ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) ( value | path )
 *                 | path "in" "(" value { "," value } ")"
 *                 | path "between" number "and" number         both included
 *                 | path "prefix" text
 *                 | "exists" path
 *                 | "inList" "(" text "," path ")"            the name of a list of yours
 *     path        = word | word "[" text "]"                  a key that is not a word: params["my key"]
 *     value       = text | number | "true" | "false"          texts and numbers as in JSON
 *
 * @throws ConditionMistake with line and column
 */
export function parseCondition(source: string): ParsedCondition {
  if (source.length > caps.textLength) {
    throw new ConditionMistake(`a condition of ${source.length} characters: at most ${caps.textLength} are read`)
  }
  try {
    return new Parser(source).parse()
  } catch (error) {
    if (error instanceof Unreadable) throw mistakeAt(source, error.at, error.message)
    throw error
  }
}

/** A mistake with the line and column of an offset. */
export function mistakeAt(source: string, offset: number, reason: string): ConditionMistake {
  let line = 1
  let lineStart = 0
  for (let end = source.indexOf('\n'); end >= 0 && end < offset; end = source.indexOf('\n', end + 1)) {
    line++
    lineStart = end + 1
  }
  return new ConditionMistake(reason, { line, column: offset - lineStart + 1 })
}

class Parser {
  readonly #source: string
  readonly #offsets = new Map<Condition, Offsets>()
  #token: Token
  #end: number
  #conditions = 0

  constructor(source: string) {
    this.#source = source
    const { token, end } = readToken(source, 0)
    this.#token = token
    this.#end = end
  }

  parse(): ParsedCondition {
    const { condition } = this.#joined('any', 1)
    if (this.#token.kind !== 'end') this.#refuse('and, or, or the end of the condition')
    return { condition, offsets: this.#offsets }
  }

  /** Parts joined by `or`, or by `and`. `height` is the depth of nested conditions. */
  #joined(op: 'any' | 'all', depth: number): { condition: Condition; height: number } {
    const { at } = this.#token
    const part = () => (op === 'any' ? this.#joined('all', depth) : this.#unary(depth))
    const first = part()
    const parts = [first.condition]
    let { height } = first
    while (this.#takes(op === 'any' ? 'or' : 'and')) {
      const next = part()
      parts.push(next.condition)
      height = Math.max(height, next.height)
    }
    if (parts.length === 1) return first
    return { condition: this.#counted({ op, of: parts }, at), height: this.#higher(height, at) }
  }

  #unary(depth: number): { condition: Condition; height: number } {
    const { at } = this.#token
    if (depth > caps.depth) throw new Unreadable(at, `deeper than ${caps.depth} conditions within each other`)
    if (this.#takes('not')) {
      const { condition, height } = this.#unary(depth + 1)
      return { condition: this.#counted({ op: 'not', of: condition }, at), height: this.#higher(height, at) }
    }
    if (this.#takesSign('(')) {
      const inner = this.#joined('any', depth + 1)
      if (!this.#takesSign(')')) this.#refuse('a closing )')
      return inner
    }
    return { condition: this.#comparison(), height: 1 }
  }

  #comparison(): Comparison {
    const { at } = this.#token
    const values: number[] = []
    const valueAt = <T>(read: () => T): T => {
      values.push(this.#token.at)
      return read()
    }
    if (this.#takes('inList')) return this.#inList(at)
    const exists = this.#takes('exists')
    const offsets = { path: this.#token.at, values }
    const path = this.#path(exists ? 'a path' : 'a condition')
    const comparison = exists ? ({ op: 'exists', path } as const) : this.#comparisonOf(path, valueAt)
    this.#offsets.set(comparison, offsets)
    return this.#counted(comparison, at)
  }

  #inList(at: number): Comparison {
    if (!this.#takesSign('(')) this.#refuse('( and the name of a list')
    const name = this.#token
    if (name.kind !== 'text') return this.#refuse('the name of a list in double quotes')
    this.#next()
    if (!this.#takesSign(',')) this.#refuse(', and a path')
    const offsets = { path: this.#token.at, values: [name.at] }
    const comparison = { op: 'inList', list: name.value, path: this.#path('a path') } as const
    if (!this.#takesSign(')')) this.#refuse('a closing )')
    this.#offsets.set(comparison, offsets)
    return this.#counted(comparison, at)
  }

  #comparisonOf(path: string, valueAt: <T>(read: () => T) => T): Comparison {
    const token = this.#token
    if (token.kind === 'sign' && binary.includes(token.text)) {
      this.#next()
      // Which values an operator takes is checked with the types, where the path is known.
      return { op: token.text, path, value: valueAt(() => this.#operand()) } as Comparison
    }
    if (this.#takes('in')) {
      const list: Literal[] = []
      if (!this.#takesSign('(')) this.#refuse('( and the values')
      do {
        if (list.length === caps.listLength) {
          throw new Unreadable(this.#token.at, `a list of more than ${caps.listLength} values`)
        }
        list.push(valueAt(() => this.#literal('a value in double quotes, a number, true or false')))
      } while (this.#takesSign(','))
      if (!this.#takesSign(')')) this.#refuse(', or )')
      return { op: 'in', path, values: list }
    }
    if (this.#takes('between')) {
      const from = valueAt(() => this.#number())
      if (!this.#takes('and')) this.#refuse('and with the upper bound')
      return { op: 'between', path, from, to: valueAt(() => this.#number()) }
    }
    if (this.#takes('prefix')) {
      const value = valueAt(() => this.#literal('a text in double quotes'))
      return { op: 'prefix', path, value } as Comparison
    }
    if (token.kind === 'sign' && token.text === '(') {
      throw new Unreadable(token.at, 'a path is not a function; the only one is inList("LIST", PATH)')
    }
    return { op: '==', path, value: true }
  }

  #path(expected: string): string {
    const token = this.#token
    if (token.kind !== 'word' || keywords.includes(token.text)) return this.#refuse(expected)
    this.#next()
    if (!this.#takesSign('[')) return token.text
    const key = this.#token
    if (key.kind !== 'text') return this.#refuse('a key in double quotes')
    this.#next()
    if (!this.#takesSign(']')) this.#refuse('a closing ]')
    return `${token.text}.${key.value}`
  }

  #operand(): Literal | { path: string } {
    const { kind } = this.#token
    const expected = 'a value in double quotes, a number, true, false, or another path'
    if (kind === 'word' && !keywords.includes(this.#token.text)) return { path: this.#path(expected) }
    return this.#literal(expected)
  }

  #literal(expected: string): Literal {
    const token = this.#token
    if (token.kind === 'text' || token.kind === 'number') {
      this.#next()
      return token.value
    }
    if (this.#takes('true')) return true
    if (this.#takes('false')) return false
    return this.#refuse(expected)
  }

  #number(): number {
    const token = this.#token
    if (token.kind !== 'number') return this.#refuse('a number')
    this.#next()
    return token.value
  }

  #counted<T extends Condition>(condition: T, at: number): T {
    if (++this.#conditions > caps.conditions) throw new Unreadable(at, `more than ${caps.conditions} conditions`)
    return condition
  }

  #higher(height: number, at: number): number {
    if (height < caps.depth) return height + 1
    throw new Unreadable(at, `deeper than ${caps.depth} conditions within each other`)
  }

  #takes(word: string): boolean {
    return this.#token.kind === 'word' && this.#token.text === word && this.#next()
  }

  #takesSign(sign: string): boolean {
    return this.#token.kind === 'sign' && this.#token.text === sign && this.#next()
  }

  #next(): true {
    const { token, end } = readToken(this.#source, this.#end)
    this.#token = token
    this.#end = end
    return true
  }

  #refuse(expected: string): never {
    const { kind, at } = this.#token
    const found = kind === 'end' ? 'the end' : wordOf(this.#token)
    throw new Unreadable(at, `expected ${expected}, found ${found}`)
  }
}

function wordOf(token: Token): string {
  if (token.kind === 'word' || token.kind === 'sign') return token.text.slice(0, 64)
  return token.kind === 'text' ? 'a text' : 'a number'
}

/** Prints a checked condition. `parseCondition` reads the text as the same condition. */
export function printCondition(condition: Condition): string {
  switch (condition.op) {
    case 'any':
      return condition.of
        .map((part) => (part.op === 'any' ? `(${printCondition(part)})` : printCondition(part)))
        .join(' or ')
    case 'all':
      return condition.of
        .map((part) => (isJoined(part) ? `(${printCondition(part)})` : printCondition(part)))
        .join(' and ')
    case 'not':
      return isBare(condition.of) ? `not ${printCondition(condition.of)}` : `not (${printCondition(condition.of)})`
    default:
      return printComparison(condition)
  }
}

const isJoined = ({ op }: Condition) => op === 'any' || op === 'all'
const isFlag = (condition: Condition) => condition.op === '==' && condition.value === true
const isBare = (condition: Condition) => ['not', 'exists', 'inList'].includes(condition.op) || isFlag(condition)

function printComparison(comparison: Comparison): string {
  const path = printPath(comparison.path)
  switch (comparison.op) {
    case 'exists':
      return `exists ${path}`
    case 'inList':
      return `inList(${JSON.stringify(comparison.list)}, ${path})`
    case 'in':
      return `${path} in (${comparison.values.map(printLiteral).join(', ')})`
    case 'between':
      return `${path} between ${printLiteral(comparison.from)} and ${printLiteral(comparison.to)}`
    case 'prefix':
      return `${path} prefix ${printLiteral(comparison.value)}`
    default: {
      if (isFlag(comparison)) return path
      const { value } = comparison
      return `${path} ${comparison.op} ${typeof value === 'object' ? printPath(value.path) : printLiteral(value)}`
    }
  }
}

/** A key that is not a word is printed in brackets. Only open parts have such keys. */
export function printPath(path: string): string {
  if (isWord(path)) return path
  const open = openParts.find(({ prefix }) => path.startsWith(prefix))
  if (!open) throw new Error(`no rule can read ${JSON.stringify(path)}`)
  return `${open.prefix.slice(0, -1)}[${JSON.stringify(path.slice(open.prefix.length))}]`
}

/** As in JSON, except that −0 keeps its sign. */
function printLiteral(value: Literal): string {
  return Object.is(value, -0) ? '-0' : JSON.stringify(value)
}
