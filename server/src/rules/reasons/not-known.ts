// Is something required and not known? One reason that names all of it.

import type { Missing, MissingReason } from '@ringfence/contract'
import { missingText } from '../requirements/missing-text.ts'
import type { Reason } from './reason.ts'

/** More than a new device weighs: who shows nothing must not look better than who shows a new device. */
const weight = 20

/** What an outage hides weighs nothing, and what was sent and is wrong has its own reason. */
const weighs: ReadonlySet<MissingReason> = new Set<MissingReason>(['not-given', 'not-a-number'])

/** None when everything is known. It is no part of the score that rules read. */
export function notKnownReasons(required: readonly Missing[]): Reason[] {
  if (required.length === 0) return []
  return [
    {
      code: 'NOT_KNOWN',
      text: `Required and not known: ${required.map(missingText).join(', ')}`,
      weight: required.some(({ why }) => weighs.has(why)) ? weight : 0,
      source: `missing.${required[0]!.what}`,
    },
  ]
}

export const notKnownExample: readonly Missing[] = [{ what: 'device', why: 'not-given' }]
