// What are the tokens of a condition? Reads the text once, without backtracking.

import { caps } from './rule.ts'

export type Token = { readonly at: number } & (
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'sign'; readonly text: string }
  | { readonly kind: 'end' }
)

/** The text is not a condition; `at` is the offset of the first wrong character. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly at: number
  constructor(at: number, reason: string) {
    super(reason)
    this.at = at
  }
}

const signs = ['==', '!=', '<=', '>=', '<', '>', '(', ')', ',', '[', ']']
const hints: Readonly<Record<string, string>> = {
  '=': 'compare with ==',
  '&': 'write and',
  '|': 'write or',
  '!': 'write not',
  "'": 'write texts in double quotes',
  '`': 'write texts in double quotes',
  '“': 'write texts in straight double quotes',
  '”': 'write texts in straight double quotes',
}

const longestNumber = 100

const isDigit = (char: string | undefined) => char !== undefined && char >= '0' && char <= '9'
const isLetter = (char: string | undefined) =>
  char !== undefined && ((char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_')
const isSpace = (char: string | undefined) => char === ' ' || char === '\n' || char === '\t' || char === '\r'
const goesOn = (char: string | undefined) => isLetter(char) || isDigit(char) || char === '.' || char === '-'

/** Whether the whole text is one word. */
export function isWord(text: string): boolean {
  if (!isLetter(text[0])) return false
  for (const char of text) if (!goesOn(char)) return false
  return true
}

/** The token that begins at or after `from`, and the offset after it. @throws Unreadable */
export function readToken(source: string, from: number): { token: Token; end: number } {
  let at = from
  while (isSpace(source[at])) at++
  const char = source[at]
  if (char === undefined) return { token: { kind: 'end', at }, end: at }
  if (isLetter(char)) return readWord(source, at)
  if (char === '"') return readText(source, at)
  if (isDigit(char) || (char === '-' && isDigit(source[at + 1]))) return readNumber(source, at)
  const sign = signs.find((text) => source.startsWith(text, at))
  if (sign !== undefined) return { token: { kind: 'sign', text: sign, at }, end: at + sign.length }
  const hint = Object.hasOwn(hints, char) ? `: ${hints[char]}` : ''
  throw new Unreadable(at, `${shown(source, at)} is not expected${hint}`)
}

function readWord(source: string, at: number) {
  let end = at
  while (goesOn(source[end])) end++
  if (end - at > caps.pathLength) throw new Unreadable(at, `a word of more than ${caps.pathLength} characters`)
  return { token: { kind: 'word', text: source.slice(at, end), at } as const, end }
}

function readText(source: string, at: number) {
  let end = at + 1
  for (; source[end] !== '"'; end++) {
    const char = source[end]
    if (char === undefined || char === '\n') throw new Unreadable(at, 'the text that begins here has no closing "')
    if (char === '\\') end++
  }
  end++
  const value = unescaped(source.slice(at, end), at)
  if (value.length > caps.literalLength)
    throw new Unreadable(at, `a text of more than ${caps.literalLength} characters`)
  return { token: { kind: 'text', value, at } as const, end }
}

/** As in JSON (RFC 8259, section 7). */
function unescaped(quoted: string, at: number): string {
  try {
    return JSON.parse(quoted)
  } catch {
    const reason = 'this text has a control character or an escape that JSON does not know: write \\\\ for a backslash'
    throw new Unreadable(at, reason)
  }
}

/** As in JSON (RFC 8259, section 6). */
function readNumber(source: string, at: number) {
  const start = source[at] === '-' ? at + 1 : at
  let end = digits(source, start)
  if (source[end] === '.' && isDigit(source[end + 1])) end = digits(source, end + 1)
  if (source[end] === 'e' || source[end] === 'E') {
    const sign = source[end + 1] === '-' || source[end + 1] === '+' ? 1 : 0
    if (isDigit(source[end + 1 + sign])) end = digits(source, end + 1 + sign)
  }
  if (goesOn(source[end])) throw new Unreadable(end, `${shown(source, end)} is not expected: a number ends before it`)
  if (source[start] === '0' && isDigit(source[start + 1])) throw new Unreadable(at, 'a number does not begin with 0')
  if (end - at > longestNumber) throw new Unreadable(at, `a number of more than ${longestNumber} digits`)
  const value = Number(source.slice(at, end))
  if (!Number.isFinite(value)) throw new Unreadable(at, 'this number is too large')
  return { token: { kind: 'number', value, at } as const, end }
}

function digits(source: string, from: number): number {
  let end = from
  while (isDigit(source[end])) end++
  return end
}

/** A character for a message. Control characters become numbers, so that a terminal does not execute them. */
function shown(source: string, at: number): string {
  const point = source.codePointAt(at)!
  const isPlain = point > 0x20 && point < 0x7f
  return isPlain ? String.fromCodePoint(point) : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}
