// What did a rule fire on? Its comparisons with their values and limits, in words and without personal data.

import { type Missing, type MissingPart, type MissingReason, personalFields } from '@ringfence/contract'
import { botControls } from '../../device/signals/web/bot-control.ts'
import { compileCondition } from '../language/compile.ts'
import type { InList } from '../language/list.ts'
import type { Comparison, Condition, Literal, Rule, Velocity } from '../language/rule.ts'
import type { RuleInput } from '../language/vocabulary.ts'
import { fullOf, missingText } from '../requirements/missing-text.ts'
import { cut, type Words, wordsOf } from './path-words.ts'

export interface RuleContext {
  readonly input: RuleInput
  readonly inList: InList
  /** Those that the rule set declares. */
  readonly velocities: readonly Velocity[]
  /** What is not known, in full; rules read only why. */
  readonly missing?: readonly Missing[]
}

const mostFacts = 3
const longestText = 260

/** `Many cards on one device: 14 cards in 24 hours, limit 3`. `rule` has fired. */
export function ruleText({ name, when }: Pick<Rule, 'name' | 'when'>, context: RuleContext): string {
  const held = heldBy(when, context)
  // What the person wants to do is said elsewhere, unless the rule reads nothing else.
  const causes = held.filter(({ path }) => path !== 'action')
  // Of a path with two limits the first one is enough.
  const byPath = Map.groupBy(causes.length > 0 ? causes : held, ({ path }) => path)
  const facts = [...byPath.values()].flatMap(([comparison]) => factOf(comparison!, context) ?? [])
  const distinct = [...new Set(facts)].filter((fact) => fact.toLowerCase() !== name.toLowerCase())
  const more = distinct.length > mostFacts ? `; and ${distinct.length - mostFacts} more` : ''
  const text = distinct.slice(0, mostFacts).join('; ')
  return text === '' ? cut(name, 100) : cut(`${cut(name, 100)}: ${text}${more}`, longestText)
}

/** The comparisons that hold and that the rule needs. What must not be is left out. */
function heldBy(condition: Condition, context: RuleContext): Comparison[] {
  if (condition.op === 'not') return []
  if (condition.op === 'all') return condition.of.flatMap((part) => heldBy(part, context))
  if (condition.op === 'any') {
    const { input, inList } = context
    return condition.of.flatMap((part) => (compileCondition(part)(input, inList) ? heldBy(part, context) : []))
  }
  return [condition]
}

function factOf(comparison: Comparison, context: RuleContext): string | undefined {
  const { path } = comparison
  const words = wordsOf(path, context.velocities)
  const value = words.meaning.read(context.input)
  if (comparison.op === 'inList') return `${words.words} in the list ${comparison.list}`
  if (!isLiteral(value)) return undefined
  if (typeof value === 'boolean') return flagText(words, value, context)
  if (path.startsWith('missing.')) {
    const read: Missing = { what: path.slice('missing.'.length) as MissingPart, why: value as MissingReason }
    return missingText(fullOf(read, context.missing))
  }
  if (path === 'action') return `the operation is ${String(value).toLowerCase().replaceAll('_', ' ')}`
  const special = sayings[path]?.[String(value)]
  if (special !== undefined) return special
  const isHidden = !words.meaning.isOpen && shownOf(words, value) === undefined
  return isHidden ? words.words : `${amountOf(words, value)}${limitOf(comparison, words, context)}`
}

/** What a value of these says in words. */
const sayings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'account.knownDevice': {
    yes: 'the account knows this device',
    likely: 'the account probably knows this device',
    no: 'the account does not know this device',
  },
  'signals.bot': { bad: 'a program controls the browser', good: 'a verified crawler or agent' },
  'signals.botCategory': botControls,
}

const isLiteral = (value: unknown): value is Literal =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

/** The description of a flag is a sentence that holds when it is true. */
function flagText({ words, meaning: { path, description, isOpen } }: Words, value: boolean, { input }: RuleContext) {
  if (isOpen) return `${words} ${value}`
  const said = description.replace(/^.*\btrue: /s, '').split(/[;:.]/)[0]!
  const text = said.charAt(0).toLowerCase() + said.slice(1)
  return value ? (measured[path]?.(input) ?? text) : `not so: ${text}`
}

/** What is behind a flag, as far as it is known. */
const measured: Readonly<Record<string, (input: RuleInput) => string | undefined>> = {
  'telecom.simSwap.swapped': ({ telecom }) => swapped('the SIM was swapped', telecom?.simSwap?.maxAgeHours),
  'telecom.deviceSwap.swapped': ({ telecom }) =>
    swapped('the number moved to another phone', telecom?.deviceSwap?.maxAgeHours),
  'account.travel.impossible': ({ account }) => {
    const { distanceKm, speedKmh } = account?.travel ?? {}
    if (distanceKm === undefined || speedKmh === undefined) return undefined
    return `${numberText(Math.round(distanceKm))} km since the last session, at ${numberText(Math.round(speedKmh))} km/h`
  },
}

const swapped = (what: string, hours: number | undefined) =>
  hours === undefined ? undefined : `${what} within ${hours} hours`

function amountOf(words: Words, value: Literal): string {
  const shown = shownOf(words, value)
  if (shown === undefined) return words.words
  if (!words.isCount) return `${words.words} ${shown}`
  return `${shown} ${value === 1 ? words.words.replace(/\b(\w{2,}?)(ies|s)\b/, singular) : words.words}`
}

const singular = (_: string, stem: string, ending: string) => `${stem}${ending === 'ies' ? 'y' : ''}`

function limitOf(comparison: Comparison, words: Words, context: RuleContext): string {
  switch (comparison.op) {
    case 'between':
      return `, between ${numberText(comparison.from)} and ${numberText(comparison.to)}`
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const { op, value: wanted } = comparison
      if (typeof wanted === 'object') return `, ${otherOf(wanted.path, context)}`
      if (op === '!=') return words.meaning.isOpen ? '' : `, not ${shownOf(words, wanted) ?? ''}`
      return limits[op](wanted as number, words.isCount)
    }
    default:
      return ''
  }
}

const limits = {
  '>': (limit: number) => `, limit ${numberText(limit)}`,
  // The limit is the most that is allowed.
  '>=': (limit: number, isCount: boolean) =>
    !isCount || !Number.isInteger(limit)
      ? `, ${numberText(limit)} or more`
      : limit > 1
        ? `, limit ${numberText(limit - 1)}`
        : '',
  '<': (limit: number) => `, under ${numberText(limit)}`,
  '<=': (limit: number) => `, at most ${numberText(limit)}`,
} as const

function otherOf(path: string, { input, velocities }: RuleContext): string {
  const words = wordsOf(path, velocities)
  const value = words.meaning.read(input)
  return isLiteral(value) ? amountOf(words, value) : words.words
}

/** Ids are too long for people, and they and addresses say who it is. */
const unshown = /(^|\.)(userId|deviceId|installationId|sessionId|merchantId)$|^email\.(address|mailbox)$/
/** So many digits may be a phone number or a card. */
const largest = 1e9
/** A text that rules compare as a number. */
const decimal = /^-?\d{1,15}(\.\d{1,6})?$/

/** Undefined for what must not be in a sentence: personal data, ids, and texts that a page or backend sent. */
function shownOf({ meaning: { path, values, isOpen }, unit }: Words, value: Literal): string | undefined {
  const isDecimal = isOpen && typeof value === 'string' && decimal.test(value)
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (!isOpen && Object.hasOwn(personalFields, name)) return undefined
  if (typeof value === 'number' || isDecimal) {
    const number = Number(value)
    if (isOpen && Math.abs(number) >= largest) return undefined
    return `${numberText(number)}${unit === undefined || unit.includes('–') ? '' : ` ${unit}`}`
  }
  if (typeof value === 'boolean') return String(value)
  if (isOpen || unshown.test(path)) return undefined
  return values ? value : `“${cut(value)}”`
}

const numberFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 3 })
const numberText = (value: number): string => numberFormat.format(value)
