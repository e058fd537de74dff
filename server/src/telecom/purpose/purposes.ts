// May this call check a phone number? Only for a purpose and on a legal basis that its tenant allows, where it requires them.

import type { Consent } from '@ringfence/contract'
import { ConfigurationError } from '../../core/config/config.ts'
import type { ConsentRules, ConsentSettings } from '../../core/config/consent-settings.ts'
import { Refusal } from '../../core/errors.ts'

/** Where a call states it: as `consent` of its body, or in its query. */
export type StatedIn = 'body' | 'query'

export interface Purposes {
  /** Refuses with `consentRequired` or `consentNotAllowed`. */
  admit(tenantId: string, consent: Consent | undefined, statedIn?: StatedIn): void
  /** Whether calls of this tenant must state a purpose. */
  requires(tenantId: string): boolean
  /** What a check states that no backend makes. */
  automatic(tenantId: string): Consent | undefined
  /** What the scope of an access token states: a purpose, with its legal basis where it has only one. */
  ofScope(tenantId: string, purpose: string): Consent
}

/** @throws ConfigurationError for an `automatic` that the same rules refuse */
export function purposes(settings: ConsentSettings = {}): Purposes {
  const rulesOf = (tenantId: string): ConsentRules => settings.tenants?.[tenantId] ?? settings
  checkAutomatic('consent', settings)
  for (const [id, rules] of Object.entries(settings.tenants ?? {})) checkAutomatic(`consent.tenants.${id}`, rules)
  return {
    admit: (tenantId, consent, statedIn) => admit(rulesOf(tenantId), consent, statedIn),
    requires: (tenantId) => isRequired(rulesOf(tenantId)),
    automatic: (tenantId) => rulesOf(tenantId).automatic,
    ofScope(tenantId, purpose) {
      const [legalBasis, ...others] = basesOf(rulesOf(tenantId), purpose) ?? []
      return { purpose, ...(legalBasis !== undefined && others.length === 0 && { legalBasis }) }
    },
  }
}

const isRequired = ({ required = [] }: ConsentRules) => required.length > 0

/** Undefined: all. */
const basesOf = ({ purposes: allowed = {} }: ConsentRules, purpose: string) =>
  Object.hasOwn(allowed, purpose) ? allowed[purpose]?.legalBases : undefined

function admit(rules: ConsentRules, consent: Consent | undefined, statedIn: StatedIn = 'body'): void {
  const { required = [], purposes: allowed } = rules
  const { prefix, example } = forms[statedIn]
  if (!consent && !isRequired(rules)) return
  const missing = required.filter((member) => consent?.[member] === undefined)
  if (!consent || missing.length > 0) {
    throw new Refusal('consentRequired', { mistake: missing.map((member) => prefix + member).join(', '), example })
  }
  const { purpose, legalBasis } = consent
  if (allowed && !Object.hasOwn(allowed, purpose))
    throw new Refusal('consentNotAllowed', {
      mistake: `${prefix}purpose must be one of ${Object.keys(allowed).join(', ')}`,
    })
  const bases = basesOf(rules, purpose)
  if (bases && legalBasis !== undefined && !bases.includes(legalBasis))
    throw new Refusal('consentNotAllowed', {
      mistake: `${prefix}legalBasis for ${purpose} must be one of ${bases.join(', ')}`,
    })
}

const forms: Readonly<Record<StatedIn, { readonly prefix: string; readonly example: string }>> = {
  body: {
    prefix: 'consent.',
    example:
      '"consent": {"purpose": "dpv:FraudPreventionAndDetection", "legalBasis": "LEGITIMATE_INTERESTS", "reference": "your-record-id"}',
  },
  query: {
    prefix: '',
    example: '?purpose=dpv:FraudPreventionAndDetection&legalBasis=LEGITIMATE_INTERESTS&reference=your-record-id',
  },
}

function checkAutomatic(at: string, rules: ConsentRules): void {
  if (!rules.automatic) return
  try {
    admit(rules, rules.automatic)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const mistake = error.details.mistake?.replaceAll('consent.', `${at}.automatic.`)
    throw new ConfigurationError(
      error.failure === 'consentRequired'
        ? `${at}.automatic: ${mistake} is missing, which ${at}.required lists`
        : `${at}.automatic: ${mistake}, as ${at}.purposes says`,
    )
  }
}
