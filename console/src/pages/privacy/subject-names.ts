// What can a person or device be exported and erased by?

export const subjectNames = {
  phoneNumber: 'Phone number',
  email: 'Email address',
  userId: 'User',
  deviceId: 'Device',
} as const

export interface Subject {
  readonly kind: keyof typeof subjectNames
  readonly value: string
}

/** `userId=u-1001`. Never in the query, which servers and logs see. */
export const fragmentOf = ({ kind, value }: Subject): string => `${kind}=${encodeURIComponent(value)}`

/** Undefined for a fragment that names nobody. */
export function subjectIn(fragment: string): Subject | undefined {
  const at = fragment.indexOf('=')
  const kind = fragment.slice(0, Math.max(0, at))
  if (!Object.hasOwn(subjectNames, kind)) return undefined
  try {
    const value = decodeURIComponent(fragment.slice(at + 1))
    return value === '' || value.length > 256 ? undefined : { kind: kind as Subject['kind'], value }
  } catch {
    return undefined
  }
}
