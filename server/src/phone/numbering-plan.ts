// Which numbers belong to the numbering plan of a territory, and which line types do they have?

import { numberingPlans } from '../core/dated-data/numbering-plans.ts'

export type LineType =
  | 'MOBILE'
  | 'FIXED_LINE'
  | 'FIXED_LINE_OR_MOBILE'
  | 'TOLL_FREE'
  | 'PREMIUM_RATE'
  | 'SHARED_COST'
  | 'VOIP'
  | 'PERSONAL_NUMBER'
  | 'PAGER'
  | 'UAN'
  | 'VOICEMAIL'

/** The numbering plan of one territory, or of a calling code that belongs to none (+800, +883). */
export interface NumberingPlan {
  /** ISO 3166-1 alpha-2; absent for a calling code that belongs to no territory. */
  readonly country?: string
  /** Decides whether a number belongs to this territory when several share a calling code. Not all of them have it. */
  readonly leadingDigits: RegExp | undefined
  /** Matches all national numbers of the plan. */
  readonly anyNumber: RegExp
  /** Possible lengths of a national number: bit n for length n. */
  readonly lengths: number
  /** Dialled before a national number within the country; the number may have a replacement for it. */
  readonly nationalPrefix: RegExp | undefined
  readonly nationalPrefixReplacement: string | undefined
  /** In the order of precedence, before fixed and mobile lines. */
  readonly special: readonly SpecialLine[]
  readonly fixedLine: Line | undefined
  /** The same object as `fixedLine` where numbers do not distinguish fixed and mobile lines (NANP). */
  readonly mobile: Line | undefined
}

interface Line {
  readonly lengths: number
  readonly numbers: RegExp
}

interface SpecialLine extends Line {
  readonly type: LineType
}

/**
 * A plan as libphonenumber-js ships it: a tuple with 0 for what is absent (its METADATA.md). A line is
 * [pattern, lengths if they differ from the plan's]; the pattern '' of mobile lines means "the same as fixed lines".
 */
type PlanTuple = readonly [
  callingCode: string,
  internationalPrefix: string,
  anyNumber: string,
  lengths: readonly number[],
  formats: unknown,
  nationalPrefix: string | 0 | undefined,
  nationalPrefixFormattingRule: unknown,
  nationalPrefixForParsing: string | 0 | undefined,
  nationalPrefixReplacement: string | 0 | undefined,
  nationalPrefixIsOptional: unknown,
  leadingDigits: string | 0 | undefined,
  lines: readonly (LineTuple | 0)[],
]
type LineTuple = readonly [pattern: string, lengths?: readonly number[]]

/**
 * The position of each line type in the metadata, in the order of Google's libphonenumber (getNumberTypeHelper), before fixed and
 * mobile lines. libphonenumber-js tries those first, which makes no difference in today's metadata.
 */
const specialLines: readonly (readonly [LineType, number])[] = [
  ['PREMIUM_RATE', 3],
  ['TOLL_FREE', 2],
  ['SHARED_COST', 9],
  ['VOIP', 8],
  ['PERSONAL_NUMBER', 4],
  ['PAGER', 7],
  ['UAN', 6],
  ['VOICEMAIL', 5],
]

/** Compiled on demand: docs/decisions/0036-numbering-plans-are-compiled-on-demand.md. */
const compiled = new Map<string, readonly NumberingPlan[]>()
let compiledFrom = numberingPlans.current()

/**
 * The plans of a calling code, the main territory's first: [US, AG, …] for "1". Empty when the calling code is not assigned.
 * Source: libphonenumber-js/max, which is Google's metadata, or newer ones of `ringfence data update`.
 */
export function numberingPlansOf(callingCode: string): readonly NumberingPlan[] {
  if (compiledFrom !== numberingPlans.current()) {
    compiled.clear()
    compiledFrom = numberingPlans.current()
  }
  const known = compiled.get(callingCode)
  if (known) return known
  const plans = compile(callingCode)
  if (plans.length > 0) compiled.set(callingCode, plans)
  return plans
}

/** Whether numbers of this country exist, by its ISO 3166-1 alpha-2 code. */
export const isCountry = (code: string): boolean => Object.hasOwn(numberingPlans.current().countries, code)

/** The line type of a national number; undefined when it is not in the plan. */
export function lineTypeOf(nationalNumber: string, plan: NumberingPlan): LineType | undefined {
  if (!hasLength(nationalNumber, plan.lengths) || !plan.anyNumber.test(nationalNumber)) return undefined
  for (const line of plan.special) if (holds(line, nationalNumber)) return line.type
  const isFixedLine = holds(plan.fixedLine, nationalNumber)
  const isMobile = plan.mobile === plan.fixedLine ? isFixedLine : holds(plan.mobile, nationalNumber)
  if (isFixedLine) return isMobile ? 'FIXED_LINE_OR_MOBILE' : 'FIXED_LINE'
  return isMobile ? 'MOBILE' : undefined
}

/** Whether the length of the number is one of the lengths. */
export function hasLength(nationalNumber: string, lengths: number): boolean {
  return (lengths & (1 << nationalNumber.length)) !== 0
}

function holds(line: Line | undefined, nationalNumber: string): boolean {
  return line !== undefined && hasLength(nationalNumber, line.lengths) && line.numbers.test(nationalNumber)
}

function compile(callingCode: string): NumberingPlan[] {
  const metadata = numberingPlans.current()
  const ownerless = metadata.nonGeographic[callingCode]
  if (ownerless) return [compilePlan(ownerless as unknown as PlanTuple)]
  const countries = metadata.country_calling_codes[callingCode] ?? []
  return countries.map((country) => compilePlan(metadata.countries[country] as unknown as PlanTuple, country))
}

function compilePlan(plan: PlanTuple, country?: string): NumberingPlan {
  const [, , anyNumber, lengths, , nationalPrefix, , prefixForParsing, prefixReplacement, , leadingDigits, lines] = plan
  const prefix = prefixForParsing || nationalPrefix
  const lineAt = (position: number): Line | undefined => {
    const [pattern, ownLengths] = lines[position] || []
    return pattern ? { lengths: bits(ownLengths || lengths), numbers: whole(pattern) } : undefined
  }
  const fixedLine = lineAt(0)
  const mobile = lines[1] && lines[1][0] === '' ? fixedLine : lineAt(1)
  return {
    ...(country && { country }),
    leadingDigits: leadingDigits ? beginning(leadingDigits) : undefined,
    anyNumber: whole(anyNumber),
    lengths: bits(lengths),
    nationalPrefix: prefix ? beginning(prefix) : undefined,
    nationalPrefixReplacement: prefixReplacement || undefined,
    special: specialLines.flatMap(([type, position]) => {
      const line = lineAt(position)
      return line ? [{ type, ...line }] : []
    }),
    fixedLine,
    mobile,
  }
}

const beginning = (pattern: string) => new RegExp(`^(?:${pattern})`)

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`)

const bits = (lengths: readonly number[]) => lengths.reduce((set, length) => set | (1 << length), 0)
