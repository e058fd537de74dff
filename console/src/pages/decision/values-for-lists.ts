// Which values of a decision may be in a list of which kind?

import type { InvestigatedDecision, List } from '../../api/types.ts'

interface ListedValue {
  readonly kind: List['kind']
  /** For people. */
  readonly name: string
  readonly value: string
}

/** In the order in which people look for them; each pair of kind and value once. */
export function valuesForLists({ subject, device, login, phone }: InvestigatedDecision): ListedValue[] {
  const { userId = login?.userId, phoneNumber, email, ip = device?.ip ?? login?.network?.ip, params = {} } = subject
  const found: readonly (readonly [List['kind'], string, unknown])[] = [
    ['userId', 'User', userId],
    ['phoneNumber', 'Phone number', phoneNumber],
    ['deviceId', 'Device', device?.deviceId],
    ['ip', 'IP address', ip],
    ['email', 'Email address', email],
    ['emailMailbox', 'Mailbox', email],
    ['emailDomain', 'Email domain', email?.split('@').at(-1)],
    ['networkOperator', 'Network operator', phone?.phoneDetail.operator],
    ...Object.entries(params).map(([name, value]) => ['text', name, value] as const),
  ]
  return found.flatMap(([kind, name, value]) =>
    typeof value === 'string' && value !== '' && value.length <= 256 ? [{ kind, name, value }] : [],
  )
}
