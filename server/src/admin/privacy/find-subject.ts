// Where does what somebody sent, or a sign-in, name a subject? Whole values of the fields for that, and what is written in a text.

import type { PrivacySubject } from '@ringfence/contract'
import { readEmailAddress } from '../../email/email-address.ts'
import { digitsOfWritten } from '../../phone/read-number.ts'
import { type KnownSubject, valuesOf } from './subject.ts'

/** What is in place of an erased value. */
export const erasedMark = '[erased]'

export interface Without {
  /** The same, with a mark in place of each value that names the subject, and of the notes beside it. */
  readonly value: unknown
  /** What the mark replaced: the path of the field, and the value. */
  readonly found: readonly { readonly field: string; readonly value: string }[]
}

/** Fields whose whole value says who or what device somebody is. */
const naming = new Set([
  'userId',
  'personId',
  'into',
  'phoneNumber',
  'email',
  'deviceId',
  'identityValue',
  'value',
  'values',
  'subject',
  'to',
])
/** Kinds of `id` that name one: the record that somebody revealed. */
const namingKinds = new Set(['user', 'phoneNumber', 'device'])
/** Who did it, and why, is never searched: an erasure may not hide it. */
const kept = new Set(['name', 'role', 'requestId', 'why', 'reason'])
/** What is written about somebody beside the value that names them. */
const beside = new Set(['note', 'comment', 'params', 'profile', 'additionalInput'])
/** A shorter number in a text may be an amount. */
const fewestDigitsInText = 9

/** A search for one subject in many values. */
export function subjectFinder(subject: KnownSubject): (value: unknown) => Without {
  const inText = patternOf(subject)
  return (searched) => {
    const found: { field: string; value: string }[] = []

    const without = (value: unknown, path: string, field: string, isNaming: boolean): unknown => {
      if (typeof value === 'string' || typeof value === 'number') {
        if (isNaming && isSubject(String(value), subject)) {
          found.push({ field: path, value: String(value) })
          return erasedMark
        }
        if (typeof value === 'number' || kept.has(field) || !inText) return value
        return value.replace(inText, (part) => {
          // The pattern has the case of all letters alike, and an address only that of ASCII letters.
          if (subject.kind === 'email' && !isSubject(part, subject)) return part
          found.push({ field: path, value: part })
          return erasedMark
        })
      }
      if (Array.isArray(value)) return value.map((item, i) => without(item, `${path}.${i}`, field, isNaming))
      return typeof value === 'object' && value !== null ? ofObject(value as Record<string, unknown>, path) : value
    }

    const ofObject = (object: Record<string, unknown>, path: string): object => {
      const names = (field: string) => naming.has(field) || (field === 'id' && namingKinds.has(String(object.kind)))
      const about = Object.entries(object).filter(
        ([field, value]) => names(field) && typeof value === 'string' && isSubject(value, subject),
      )
      // Beside a user or device, the name is what the person called the device.
      const hasName = about.some(([field]) => field === 'userId' || field === 'deviceId')
      return Object.fromEntries(
        Object.entries(object).map(([field, value]) => {
          const isBeside =
            about.length > 0 && value !== undefined && (beside.has(field) || (hasName && field === 'name'))
          if (isBeside) return [field, erasedMark]
          return [field, without(value, path === '' ? field : `${path}.${field}`, field, names(field))]
        }),
      )
    }

    return { value: without(searched, '', '', false), found }
  }
}

/** The whole value is the subject, however a number or an address is written. */
function isSubject(text: string, { kind, value, alsoKnownAs }: KnownSubject): boolean {
  if (kind === 'userId') return text === value || alsoKnownAs?.includes(text) === true
  if (kind === 'email') return (readEmailAddress(text).address ?? text.toLowerCase()) === value
  if (kind === 'phoneNumber') return text === value || digitsOfWritten(text) === value
  return text.trim().toLowerCase() === value
}

const separated = String.raw`[\s().\-/]{0,3}`
/** Not within a word, a longer number, an id, or another address. */
const begins = String.raw`(?<![\p{L}\p{N}_.%+-])`

function patternOf(subject: PrivacySubject): RegExp | undefined {
  const { kind, value } = subject
  if (kind === 'email') {
    const address = valuesOf(subject).map(RegExp.escape).join('|')
    return new RegExp(String.raw`${begins}(?:${address})(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`, 'giu')
  }
  if (kind !== 'phoneNumber' || value.length < fewestDigitsInText) return undefined
  const number = [...value].join(separated)
  return new RegExp(String.raw`(?<![\p{L}\p{N}_.-])(?:\+\s?|00)?${number}(?![\p{L}\p{N}_-]|\.\p{N})`, 'gu')
}
