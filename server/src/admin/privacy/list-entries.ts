// Which entries of lists name a subject? Those of lists of its kind, and of lists of texts.

import type { ListKind, PrivacySubject } from '@ringfence/contract'
import type { Entry } from '../../rules/lists/entries.ts'
import type { Lists } from '../../rules/lists/lists.ts'
import type { Subject } from './person.ts'
import { userIdsOf } from './subject.ts'

export type NamedEntry = Entry & { readonly name: string }

const kindsOf: Readonly<Record<PrivacySubject['kind'], readonly ListKind[]>> = {
  userId: ['userId', 'text'],
  phoneNumber: ['phoneNumber', 'userId', 'text'],
  email: ['email', 'emailMailbox', 'userId', 'text'],
  deviceId: ['deviceId', 'text'],
}

export async function entriesOf({ tenantId, subject }: Subject, lists: Lists): Promise<NamedEntry[]> {
  const found: NamedEntry[] = []
  for (const { name, kind } of await lists.describe(tenantId)) {
    if (!kindsOf[subject.kind].includes(kind)) continue
    const former = subject.kind === 'deviceId' ? (subject.alsoKnownAs ?? []) : []
    const ids = kind === 'userId' || kind === 'text' ? userIdsOf(subject) : []
    const values = new Set([subject.value, ...ids, ...former])
    for (const value of values) {
      // Another form than the list has is not in it.
      const entries = await lists.lookUp(tenantId, name, value).catch(() => [])
      found.push(...entries.map((entry) => ({ ...entry, name })))
    }
  }
  return found
}
