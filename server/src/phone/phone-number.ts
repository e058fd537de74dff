// Is a text a valid phone number, and of which country and line type?

import { hasLength, type LineType, lineTypeOf, type NumberingPlan, numberingPlansOf } from './numbering-plan.ts'

/** A valid number. */
export interface PhoneNumber {
  /** E.164 without the plus sign: country calling code and national number, e.g. "917020141726". */
  readonly digits: string
  /** "91" */
  readonly callingCode: string
  /** ISO 3166-1 alpha-2; absent for non-geographic codes such as +800 and +883. */
  readonly country?: string
  /** Line type of libphonenumber's metadata; absent when it is unknown. */
  readonly type?: LineType
}

/** ITU-T E.164: at most 15 digits, and no calling code begins with 0. */
const e164Digits = /^[1-9][0-9]{1,14}$/

/**
 * Parses a number in the form of the contract: country calling code and national number, digits only, no plus sign, no national
 * prefix. Returns undefined for any other form, and for a number that is valid in no territory of its calling code.
 *
 * Reads the metadata of libphonenumber-js directly, about 15 times as fast as its parser. The results differ in two cases:
 * - E.164 allows 15 digits. The metadata have longer ones (within Germany, toll-free 00800 … in Japan), which are refused here.
 * - Tristan da Cunha (TA) has no mobile lines, so its numbers are FIXED_LINE, as in Google's library, not FIXED_LINE_OR_MOBILE.
 */
export function parsePhoneNumber(text: string): PhoneNumber | undefined {
  if (!e164Digits.test(text)) return undefined
  const callingCode = callingCodeOf(text)
  if (!callingCode) return undefined
  const nationalNumber = text.slice(callingCode.length)
  const plans = numberingPlansOf(callingCode)
  const plan = planOf(nationalNumber, plans)
  const type = plan && lineTypeOf(nationalNumber, plan)
  if (!type || hasNationalPrefix(nationalNumber, plans)) return undefined
  return plan.country ? { digits: text, callingCode, country: plan.country, type } : { digits: text, callingCode, type }
}

/** "7020141726" of 917020141726. */
export function nationalNumberOf({ digits, callingCode }: PhoneNumber): string {
  return digits.slice(callingCode.length)
}

/**
 * Returns the only territory in which the number is valid, ISO 3166-1 alpha-2. Undefined for none and for several: toll-free
 * 1800… is valid in all of North America, and its `country` is the main territory of the calling code.
 */
export function soleTerritoryOf(number: PhoneNumber): string | undefined {
  const plans = numberingPlansOf(number.callingCode)
  if (plans.length === 1) return number.country
  const nationalNumber = nationalNumberOf(number)
  let territory: string | undefined
  for (const plan of plans) {
    if (!lineTypeOf(nationalNumber, plan)) continue
    if (territory) return undefined
    territory = plan.country
  }
  return territory
}

/** No calling code begins with another one, so the shortest match is right. */
export function callingCodeOf(digits: string): string | undefined {
  for (let length = 1; length <= 3; length++) {
    const callingCode = digits.slice(0, length)
    if (numberingPlansOf(callingCode).length > 0) return callingCode
  }
  return undefined
}

/** As Google's getRegionCodeForNumber: the first territory with matching leading digits or, if it has none, with a matching plan. */
function planOf(nationalNumber: string, plans: readonly NumberingPlan[]): NumberingPlan | undefined {
  if (plans.length === 1) return plans[0]
  return plans.find(
    (plan) => plan.leadingDigits?.test(nationalNumber) ?? lineTypeOf(nationalNumber, plan) !== undefined,
  )
}

/**
 * Whether libphonenumber would remove a national prefix, as in 44 (0)20…, or rewrite the number, as Argentina's 15 to 9. Then the
 * text is not the E.164 form of the number. A prefix belongs to the number when only the whole number is in the plan, or when the
 * rest does not have a possible length.
 */
function hasNationalPrefix(nationalNumber: string, plans: readonly NumberingPlan[]): boolean {
  const main = plans[0]!
  const rewritten = rewrittenBy(main, nationalNumber)
  if (rewritten === nationalNumber) return false
  if (main.anyNumber.test(nationalNumber) && !main.anyNumber.test(rewritten)) return false
  return hasLength(rewritten, (planOf(rewritten, plans) ?? main).lengths)
}

/** The national number as it is without a national prefix: "2079460000" for "02079460000" of 44. It may be in no plan. */
export const withoutNationalPrefix = (nationalNumber: string, callingCode: string): string =>
  rewrittenBy(numberingPlansOf(callingCode)[0]!, nationalNumber)

function rewrittenBy(plan: NumberingPlan, nationalNumber: string): string {
  const prefix = plan.nationalPrefix?.exec(nationalNumber)
  if (!prefix) return nationalNumber
  return plan.nationalPrefixReplacement && prefix.length > 1 && prefix.at(-1)
    ? nationalNumber.replace(plan.nationalPrefix!, plan.nationalPrefixReplacement)
    : nationalNumber.slice(prefix[0].length)
}
