// Which purpose does an upstream get for the one that a call states? Contracts grant each, so none is passed off as another one.

import type { Consent } from '@ringfence/contract'
import { CheckUnsupported } from './connector.ts'

/**
 * @param purposes the purpose at the upstream, by what a call states
 * @param usual that of a call that states none
 * @returns a function that throws CheckUnsupported for a purpose that was not granted
 */
export const grantedPurposes =
  (purposes: Readonly<Record<string, string>>, usual: string) =>
  (consent: Consent | undefined): string => {
    if (!consent) return usual
    const granted = Object.hasOwn(purposes, consent.purpose) ? purposes[consent.purpose] : undefined
    if (granted === undefined) throw new CheckUnsupported(`the upstream did not grant the purpose ${consent.purpose}`)
    return granted
  }
