// Who or what are exported or erased records about? A user, phone number, email address or device, and the hashes under which the store has them.

import type { PrivacySubject } from '@ringfence/contract'
import { effectiveUserIdIn, personsIn } from '../../accounts/person.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { currentDeviceId, formerIdsOf } from '../../device/store/device-aliases.ts'
import { inUnicode, readEmailAddress } from '../../email/email-address.ts'
import { accountHashOf, deviceHashOf, emailHashOf, numberHashOf } from '../../events/subject-hashes.ts'
import { readPhoneNumber } from '../../phone/read-number.ts'
import type { SubjectColumn } from './store/records-of-subject.ts'

/** What older versions took for an email address. */
const wasEmail = /^[^\s@]+@[^\s@]+$/
const digits = /^[0-9]{5,15}$/
const forms = {
  userId: [/^[\s\S]{1,256}$/, 'your id of the user'],
  deviceId: [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'the deviceId of a report'],
} as const

/** Refuses with `fieldInvalid`. An email address and a phone number get their canonical form. */
export function checkSubject({ kind, value }: PrivacySubject): PrivacySubject {
  if (kind === 'email') return { kind, value: addressIn(value) }
  if (kind === 'phoneNumber') return { kind, value: digitsIn(value) }
  const [form, expected] = forms[kind]
  if (!form.test(value)) throw new Refusal('fieldInvalid', { mistake: `subject.value must be ${expected}` })
  return { kind, value }
}

/** A text that is no address, but that older versions stored as one, is itself in lower case: it can still be erased. */
function addressIn(text: string): string {
  const { address, mistake } = readEmailAddress(text)
  if (address !== undefined) return address
  if (wasEmail.test(text)) return text.toLowerCase()
  throw new Refusal('fieldInvalid', { mistake: `subject.value ${mistake}` })
}

/** The forms in which a subject may be stored: older versions kept the domain of an address as it was written. */
export const valuesOf = ({ kind, value }: PrivacySubject): string[] =>
  kind === 'email' ? [...new Set([value, inUnicode(value)])] : [value]

/** As what a text may be in a receipt: older versions took an address in lower case. */
export const writtenAs = (kind: PrivacySubject['kind'], text: string): string[] =>
  kind === 'email' ? [readEmailAddress(text).address ?? text.toLowerCase(), text.toLowerCase()] : [text]

/** Digits are searched as they are: earlier versions stored what is in no numbering plan. Any other writing is read. */
function digitsIn(text: string): string {
  if (digits.test(text)) return text
  const number = readPhoneNumber(text, 'subject.value')
  if (typeof number === 'string') throw new Refusal('fieldInvalid', { mistake: number })
  return number.digits
}

/** Where events and decisions of a subject are found. */
export interface SubjectKey {
  readonly column: SubjectColumn
  readonly hash: Uint8Array
}

/** A subject with what else it is known by. */
export interface KnownSubject extends PrivacySubject {
  /** Of a user: the minted ids of its sign-ins, and the id to which they are linked. Of a device: its former ids. */
  readonly alsoKnownAs?: readonly string[]
}

/** A person or device is exported and erased under all ids, whichever of them is asked for. */
export async function knownSubject(
  database: Queryable,
  tenantId: string,
  subject: PrivacySubject,
  keys: TenantKeys,
): Promise<KnownSubject> {
  if (subject.kind === 'deviceId') {
    const value = await currentDeviceId(database, tenantId, subject.value)
    return { kind: 'deviceId', value, alsoKnownAs: await formerIdsOf(database, tenantId, value) }
  }
  if (subject.kind !== 'userId') return subject
  const user = { tenantId, userId: subject.value }
  const ids = new Set([await effectiveUserIdIn(database, user, keys), ...(await personsIn(database, user, keys))])
  ids.delete(subject.value)
  return { ...subject, alsoKnownAs: [...ids] }
}

/** Ids under which a backend may know the subject as a user: some use a number or email address as the id. */
export function userIdsOf({ kind, value, alsoKnownAs = [] }: KnownSubject): string[] {
  if (kind === 'userId') return [value, ...alsoKnownAs]
  if (kind === 'phoneNumber') return [value, `+${value}`]
  return kind === 'email' ? valuesOf({ kind, value }) : []
}

export function keysOfSubject(subject: KnownSubject, keys: TenantKeys): SubjectKey[] {
  const { kind, value } = subject
  return [
    ...userIdsOf(subject).map((id): SubjectKey => ({ column: 'user_hash', hash: accountHashOf(id, keys) })),
    ...(kind === 'phoneNumber' ? [{ column: 'number_hash', hash: numberHashOf(value, keys) } as const] : []),
    ...(kind === 'email' ? valuesOf(subject) : []).map(
      (text): SubjectKey => ({ column: 'email_hash', hash: emailHashOf(text, keys) }),
    ),
    ...(kind === 'deviceId' ? [value, ...(subject.alsoKnownAs ?? [])] : []).map(
      (id): SubjectKey => ({ column: 'device_hash', hash: deviceHashOf(id, keys) }),
    ),
  ]
}
