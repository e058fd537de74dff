// How does a command state what it checks a number for? --purpose, --legal-basis and --reference of it.

import { legalBases } from '@ringfence/contract'
import type { TelecomChecksRequest } from '@ringfence/node'
import { type Command, Option } from 'commander'
import { CommandFailed } from '../failure.ts'

export interface ConsentOptions {
  purpose?: string
  legalBasis?: (typeof legalBases)[number]
  consentReference?: string
}

export const addConsentOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--purpose <term>', 'what for, such as dpv:FraudPreventionAndDetection').env('RINGFENCE_PURPOSE'),
    )
    .addOption(
      new Option('--legal-basis <basis>', 'its legal basis in the GDPR; needs --purpose')
        .choices([...legalBases])
        .env('RINGFENCE_LEGAL_BASIS'),
    )
    .option('--consent-reference <id>', 'your id of the consent or contract; needs --purpose')

/** Nothing when none is given. */
export function consentOf({
  purpose,
  legalBasis,
  consentReference: reference,
}: ConsentOptions): Pick<TelecomChecksRequest, 'consent'> {
  if (purpose === undefined) {
    if (legalBasis === undefined && reference === undefined) return {}
    throw new CommandFailed('a legal basis and a reference belong to a purpose: add --purpose (or RINGFENCE_PURPOSE)')
  }
  return { consent: { purpose, ...(legalBasis && { legalBasis }), ...(reference !== undefined && { reference }) } }
}
