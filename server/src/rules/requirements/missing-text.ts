// What is not known, and why, in words for people?

import { type CheckName, checks, type Missing, type MissingReason } from '@ringfence/contract'

const whys: Readonly<Record<MissingReason, string>> = {
  'not-given': 'not given',
  unknown: 'not one of yours',
  expired: 'expired',
  incomplete: 'incomplete',
  unattested: 'not attested',
  crowded: 'one of many new devices of its network',
  reused: 'used too often',
  'other-user': 'of another user',
  'other-number': 'of another phone number',
  'no-sign-in': 'a token without a sign-in',
  'not-linked': 'not linked to this user',
  'no-number': 'without a phone number',
  'operator-unknown': 'operator unknown',
  unsupported: 'not supported by the operator',
  'window-unsupported': 'not supported for so many hours',
  deadline: 'not in time',
  'operator-timeout': 'operator timed out',
  'operator-failed': 'operator failed',
  failed: 'failed',
  'not-a-number': 'not a number',
}

/** `device report (incomplete: plugins, storage)`. */
export const missingText = ({ what, why, path, facts = [] }: Missing): string => {
  const more = facts.length > mostNamed ? ` and ${facts.length - mostNamed} more` : ''
  const named = facts.length > 0 ? `: ${facts.slice(0, mostNamed).join(', ')}${more}` : ''
  return `${missingSubject({ what, path })} (${whys[why]}${named})`
}

const mostNamed = 2

export function missingSubject({ what, path }: { what: Missing['what']; path?: string | undefined }): string {
  if (path !== undefined) return path
  if (what === 'login') return 'sign-in'
  if (what === 'device') return 'device report'
  if (what === 'phone') return 'phone number'
  if (what === 'params') return 'params'
  return checks[what as CheckName].title
}

/** The same with all that is known of it. */
export const fullOf = (missing: Missing, known: readonly Missing[] = []): Missing =>
  known.find(({ what, why, path }) => what === missing.what && why === missing.why && path === missing.path) ?? missing
