// What do the NAPTR records of a number say about its operator (RFC 4769, RFC 4694)?

import { operatorIdOf } from '../../connectors/look-ups/stated.ts'
import { longestPrefix } from '../longest-prefix.ts'
import type { PortabilityAnswer } from '../source.ts'
import { applyNaptrRegexp } from './naptr-regexp.ts'

/** A NAPTR record, as RFC 3403 names its fields. */
export interface Naptr {
  readonly order: number
  readonly preference: number
  readonly flags: string
  readonly services: string
  readonly regexp: string
}

/** Which operator do the codes of a zone mean? From the configuration. */
export interface OperatorCodes {
  /** Operator ids by service provider id. */
  readonly spn: ReadonlyMap<string, string>
  /** Operator ids by the first digits of a routing number: the longest that fits counts. */
  readonly rn: ReadonlyMap<string, string>
  /** Home operators by the first digits of a number: the longest that fits counts. */
  readonly home: ReadonlyMap<string, string>
}

/**
 * The first statement by order and preference; undefined when no record is about the operator. Throws an Error when there are only
 * such records that cannot be read, or that are about another number.
 */
export function enumAnswer(
  records: readonly Naptr[],
  digits: string,
  codes: OperatorCodes,
): Omit<PortabilityAnswer, 'asOf'> | undefined {
  const telling = records
    .filter(({ flags, services }) => flags.toLowerCase() === 'u' && isPstnTel(services))
    .sort((a, b) => a.order - b.order || a.preference - b.preference)
  let unreadable: unknown
  for (const { regexp } of telling) {
    try {
      const uri = applyNaptrRegexp(regexp, `+${digits}`)
      if (uri !== undefined) return statementOf(uri, digits, codes)
    } catch (error) {
      unreadable ??= error
    }
  }
  if (unreadable) throw unreadable
  return undefined
}

/** `E2U+pstn:tel`, alone or beside other services. */
function isPstnTel(services: string): boolean {
  const [protocol, ...types] = services.toLowerCase().split('+')
  return protocol === 'e2u' && types.includes('pstn:tel')
}

function statementOf(uri: string, digits: string, codes: OperatorCodes): Omit<PortabilityAnswer, 'asOf'> {
  const [scheme, number, parameters] = readTel(uri)
  if (scheme !== 'tel') throw new Error('a record that makes no tel URI')
  if (number !== digits) throw new Error('a record about another number')
  const dipped = parameters.has('npdi')
  const rn = parameters.get('rn')
  const spn = parameters.get('spn')
  const homeOperator = longestPrefix(codes.home, digits)
  const [operator, isMapped] = operatorOf(parameters, codes)
  const ported = portedOf(
    dipped,
    rn,
    spn !== undefined || parameters.has('mcc'),
    isMapped ? operator : undefined,
    homeOperator,
  )
  return {
    ...(operator !== undefined && { operator }),
    ...(homeOperator !== undefined && { homeOperator }),
    ...(ported !== undefined && { ported }),
  }
}

/** A routing number means ported, and no number of any operator means not ported. Another operator than at home is a port, too. */
function portedOf(
  dipped: boolean,
  rn: string | undefined,
  namesOperator: boolean,
  operator: string | undefined,
  homeOperator: string | undefined,
): boolean | undefined {
  if (!dipped) return undefined
  if (rn) return true
  if (!namesOperator) return rn === undefined ? false : undefined
  return operator !== undefined && homeOperator !== undefined ? operator !== homeOperator : undefined
}

/** The operator, and whether its id can be compared with a home operator. */
function operatorOf(parameters: ReadonlyMap<string, string>, codes: OperatorCodes): [string | undefined, boolean] {
  const stated = operatorIdOf(parameters.get('mcc'), parameters.get('mnc'))
  if (stated !== undefined) return [stated, true]
  const spn = parameters.get('spn') ?? ''
  const rn = plain(parameters.get('rn') ?? '')
  const known = codes.spn.get(spn) ?? (rn === '' ? undefined : longestPrefix(codes.rn, rn))
  if (known !== undefined) return [known, true]
  return [/^[A-Za-z0-9._-]{1,40}$/.test(spn) ? `spn:${spn}` : undefined, false]
}

/** Scheme, digits and parameters by their lower-case names. Routing numbers may be hexadecimal, so only the number must be digits. */
function readTel(uri: string): [string, string, Map<string, string>] {
  const colon = uri.indexOf(':')
  const [number = '', ...rest] = uri.slice(colon + 1).split(';')
  const parameters = new Map<string, string>()
  for (const each of rest) {
    const [name = '', value = ''] = each.split('=', 2)
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value)
  }
  return [uri.slice(0, colon).toLowerCase(), plain(number), parameters]
}

/** Without the plus sign and the separators that RFC 3966 allows. */
const plain = (number: string) => number.replaceAll(/[+().-]/g, '').toLowerCase()
