// How long is a sign-in remembered that is over? For an hour, so that a late caller learns what was wrong; then it leaves the store.

import type { Platform } from '../platform.ts'
import { dropCountsBefore } from '../storage/message-counts.ts'
import { dropSignInsBefore } from '../storage/sign-ins.ts'

const rememberMs = 3_600_000

/** So many at a time that other writes need not wait. */
const slice = 500

/** Drops sign-ins that ended an hour ago, and counts of periods that are over, in slices. */
export async function dropForgottenSignIns({ database, clock }: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  const now = clock.now()
  while ((await dropSignInsBefore(database, now - rememberMs, slice)) === slice);
  while ((await dropCountsBefore(database, now, slice)) === slice);
}
