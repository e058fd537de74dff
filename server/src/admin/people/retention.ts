// When do sessions of the console, one-time links and used challenges leave the store? When they have ended.

import type { Core } from '../../core/core.ts'
import { dropConsoleSessionsBefore } from '../store/console-sessions.ts'
import { dropChallengesBefore } from '../store/passkeys.ts'
import { dropInvitationsBefore } from '../store/people.ts'
import { dropSsoDoneBefore } from '../store/single-sign-on.ts'

export async function dropEndedSessions({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> {
  await dropConsoleSessionsBefore(database, clock.now())
  await dropInvitationsBefore(database, clock.now())
  await dropChallengesBefore(database, clock.now())
  await dropSsoDoneBefore(database, clock.now())
}
