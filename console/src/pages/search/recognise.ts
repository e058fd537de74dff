// What did somebody type or paste into the search box? The form of the text says which kind of id it is.

export const subjectKinds = ['phoneNumber', 'email', 'userId', 'deviceId', 'ipAddress', 'requestId'] as const
export type SubjectKind = (typeof subjectKinds)[number]

/** Ids of the integrator that lead to a report or decision. */
export const recordKinds = ['dfrId', 'transaction'] as const
export type RecordKind = (typeof recordKinds)[number]

export interface Recognised {
  readonly kind: SubjectKind | RecordKind | 'decisionId'
  /** Of the kind, for people. */
  readonly name: string
  readonly value: string
}

export const kindNames: Readonly<Record<Recognised['kind'], string>> = {
  phoneNumber: 'Phone number',
  email: 'Email address',
  userId: 'User',
  deviceId: 'Device',
  ipAddress: 'IP address',
  requestId: 'Request',
  decisionId: 'Decision',
  dfrId: 'Device report',
  transaction: 'Transaction',
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const dfrId = /^[0-9a-f]{32}$/
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const ipv4 = /^\d{1,3}(\.\d{1,3}){3}$/
const ipv6 = /^(?=.*:.*:)[0-9a-f:.]{2,45}$/

/**
 * Ids of decisions are UUIDs of version 7, those of devices are not. A number needs eight digits at least, or a plus sign: shorter ones
 * are ids of users. A request id has the form of a device id, and an id of a transaction that of a user: their pages offer it. Undefined for an empty text.
 */
export function recognise(text: string): Recognised | undefined {
  const value = text.trim()
  if (value === '') return undefined
  const lower = value.toLowerCase()
  const version = uuid.exec(lower)?.[1]
  if (version === '7') return found('decisionId', lower)
  if (version !== undefined) return found('deviceId', lower)
  if (dfrId.test(lower)) return found('dfrId', lower)
  if (email.test(value)) return found('email', lower)
  if (ipv4.test(value) || ipv6.test(lower)) return found('ipAddress', lower)
  if (mayBeNumber(value)) return found('phoneNumber', value)
  return found('userId', value)
}

/** Whether a text has nothing but the digits of a number and what people put between them. The server reads it. */
function mayBeNumber(text: string): boolean {
  const { length } = text.match(/\p{Nd}/gu) ?? []
  return /^[\p{Nd}\p{Z}\p{P}\p{Cf}+＋]*$/u.test(text) && length >= (/^\W*[+＋]/.test(text) ? 5 : 8) && length <= 20
}

const found = (kind: Recognised['kind'], value: string): Recognised => ({ kind, name: kindNames[kind], value })

/** Where it leads. Who is searched for is in the fragment: servers, proxies and their logs never see it. */
export function linkTo({ kind, value }: Pick<Recognised, 'kind' | 'value'>): { to: string; hash?: string } {
  if (kind === 'decisionId') return { to: `/decisions/${value}` }
  if (kind === 'deviceId') return { to: `/devices/${value}` }
  if (kind === 'phoneNumber') return { to: '/number', hash: encodeURIComponent(value) }
  if (kind === 'userId') return { to: '/user', hash: encodeURIComponent(value) }
  return { to: '/search', hash: `${kind}=${encodeURIComponent(value)}` }
}
