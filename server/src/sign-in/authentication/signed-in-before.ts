// With which identities has this browser signed in before? Its cookie has a keyed hash of each (OWASP, Slow Down Online Guessing Attacks
// with Device Cookies): it proves that to limits, admits nobody, and names nobody.

import { timingSafeEqual } from 'node:crypto'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
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

/** A mark counts in this period and the next: numbers get new owners, and the previous one must not lock them out. */
const periodMs = 45 * 86_400_000

function markOf(keys: Pick<TenantKeys, 'hash'>, { type, value }: Named, at: number): string {
  const period = Math.floor(at / periodMs)
  return Buffer.from(keys.hash(`signed in before ${period} ${type} ${value}`)).toString('base64url', 0, markBytes)
}

interface Named {
  readonly type: string
  readonly value: string
}

/** Whether a person signed in with this identity in this browser within the last 45 to 90 days. */
export async function hasSignedInBefore(
  tenantId: string,
  identity: Named,
  before: SignedInBefore | undefined,
  { clock, tenantKeyring }: Pick<Core, 'clock' | 'tenantKeyring'>,
): Promise<boolean> {
  if (before?.sent === undefined) return false
  const keys = await tenantKeyring.keysOf(tenantId)
  const now = clock.now()
  const marks = [now, now - periodMs].map((at) => Buffer.from(markOf(keys, identity, at)))
  return marksIn(before).some((sent) => marks.some((mark) => timingSafeEqual(Buffer.from(sent), mark)))
}

/** Marks the browser with the verified identities of a sign-in. */
export function markBrowser(
  before: SignedInBefore,
  identities: readonly Pick<ProvenIdentity, 'identityType' | 'identityValue' | 'verified'>[],
  keys: Pick<TenantKeys, 'hash'>,
  now: number,
): void {
  const own = identities
    .filter(({ verified }) => verified)
    .map(({ identityType, identityValue }) => markOf(keys, { type: identityType, value: identityValue }, now))
  before.marks = [...new Set([...own, ...marksIn(before)])].slice(0, mostMarks).join('.')
}

/** A mark that has another form is not ours. */
const marksIn = ({ sent = '' }: SignedInBefore): string[] =>
  sent.split('.', mostMarks).filter((mark) => mark.length === markLength && /^[\w-]+$/.test(mark))
