// Which paths can a rule look up in a list? Those that have values of the kind of the list.

import type { ListKind } from '@ringfence/contract'

interface KindOfValues {
  /** In the plural, for messages. */
  readonly meaning: string
  /** Paths that contain such values; a key of `params` or `additionalInput` may contain any. */
  readonly paths: readonly string[]
}

/** lists/kinds.ts says in which form the values of each kind are compared. */
export const listKinds: Readonly<Record<ListKind, KindOfValues>> = {
  phoneNumber: { meaning: 'phone numbers', paths: ['phoneNumber', 'updateInfo.phoneNumber'] },
  userId: { meaning: 'user ids', paths: ['userId', 'updateInfo.userId'] },
  deviceId: { meaning: 'device ids', paths: ['deviceId', 'likely.deviceId'] },
  ip: { meaning: 'IP addresses', paths: ['ip'] },
  networkOperator: {
    meaning: 'network operators',
    paths: ['telecom.operator', 'telecom.homeOperator', 'ipDetails.isp', 'ipDetails.asn'],
  },
  email: { meaning: 'email addresses', paths: ['email.address'] },
  emailMailbox: { meaning: 'email addresses', paths: ['email.address', 'email.mailbox'] },
  emailDomain: { meaning: 'email domains', paths: ['email.address', 'email.domain'] },
  text: { meaning: 'texts', paths: [] },
}

/** The kinds of lists in which the value of a path may be; `text` takes every text. */
export const kindsOfPath = (path: string): ListKind[] =>
  (Object.keys(listKinds) as ListKind[]).filter((kind) => kind === 'text' || listKinds[kind].paths.includes(path))
