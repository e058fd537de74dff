// With which identities has this browser signed in before? Its cookie has a keyed hash of each (OWASP, Slow Down Online Guessing Attacks
// with Device Cookies): it proves that to limits, admits nobody, and names nobody.

import { timingSafeEqual } from 'node:crypto'
import type { TenantKeys } from '../crypto/keyring.ts'
import type { Platform } from '../platform.ts'
import type { ProvenIdentity } from './channel.ts'

export interface SignedInBefore {
  /** The marks that the browser sent. */
  readonly sent: string | undefined
  /** A sign-in sets them, and the response sends them back. */
  marks?: string
}

const markBytes = 16
const markLength = 22
/** A shared computer; the latest first. */
const mostMarks = 5

function markOf(keys: Pick<TenantKeys, 'hash'>, type: string, value: string): string {
  return Buffer.from(keys.hash(`signed in before ${type} ${value}`)).toString('base64url', 0, markBytes)
}

/** Whether a person signed in with this identity in this browser before. */
export async function hasSignedInBefore(
  tenantId: string,
  { type, value }: { readonly type: string; readonly value: string },
  before: SignedInBefore | undefined,
  { tenantKeyring }: Pick<Platform, 'tenantKeyring'>,
): Promise<boolean> {
  if (before?.sent === undefined) return false
  const mark = Buffer.from(markOf(await tenantKeyring.keysOf(tenantId), type, value))
  return marksIn(before).some((sent) => timingSafeEqual(Buffer.from(sent), mark))
}

/** Marks the browser with the verified identities of a sign-in. */
export function markBrowser(
  before: SignedInBefore,
  identities: readonly Pick<ProvenIdentity, 'identityType' | 'identityValue' | 'verified'>[],
  keys: Pick<TenantKeys, 'hash'>,
): void {
  const own = identities
    .filter(({ verified }) => verified)
    .map(({ identityType, identityValue }) => markOf(keys, identityType, identityValue))
  before.marks = [...new Set([...own, ...marksIn(before)])].slice(0, mostMarks).join('.')
}

/** A mark that has another form is not ours. */
const marksIn = ({ sent = '' }: SignedInBefore): string[] =>
  sent.split('.', mostMarks).filter((mark) => mark.length === markLength && /^[\w-]+$/.test(mark))
