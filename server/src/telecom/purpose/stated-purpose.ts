// Under which purpose is a stored answer? An answer that was obtained for one purpose is not reused for another one (Art. 5(1)(b) GDPR).

import type { Consent } from '@ringfence/contract'

/** Follows the name of the question. Without a stated purpose there is nothing. */
export const purposeSuffix = (consent: Consent | undefined): string =>
  consent ? ` for ${consent.purpose}/${consent.legalBasis ?? ''}` : ''

const form = / for dpv:[A-Za-z]{1,64}\/[A-Z_]*$/

/** The name of the question, for whichever purpose it was asked. */
export const withoutPurpose = (name: string): string => name.replace(form, '')
