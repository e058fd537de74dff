// For which purpose, and on which legal basis, is a phone number checked? A caller states it with each call.

import Type, { type Static } from 'typebox'

/** The legal bases of Art. 6(1) GDPR, in its order, as CAMARA names them. */
export const legalBases = [
  'CONSENT',
  'CONTRACT',
  'LEGAL_OBLIGATION',
  'VITAL_INTERESTS',
  'PUBLIC_TASK',
  'LEGITIMATE_INTERESTS',
] as const
export type LegalBasis = (typeof legalBases)[number]

export const purposePattern = '^dpv:[A-Za-z]{1,64}$'

export const Purpose = Type.String({
  pattern: purposePattern,
  'x-form': 'a term of the W3C Data Privacy Vocabulary, such as dpv:FraudPreventionAndDetection',
  description: 'What for: a term of the W3C Data Privacy Vocabulary',
  examples: ['dpv:FraudPreventionAndDetection'],
})
export const LegalBasis = Type.Enum([...legalBases], { description: 'The legal basis of Art. 6(1) GDPR' })

export const Consent = Type.Object(
  {
    purpose: Purpose,
    legalBasis: Type.Optional(LegalBasis),
    // No comma, quote or sign of a formula: it goes to CSV files and SIEM systems as it is.
    reference: Type.Optional(
      Type.String({
        maxLength: 128,
        pattern: '^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$',
        'x-form': 'an id of 1 to 128 letters, digits and . _ : / @ + - that begins with a letter or digit',
        description:
          'Your id of the record that proves it, for example of a consent or a contract: letters, digits and . _ : / @ + -. Do not put personal data in it',
        examples: ['consent-2026-0042'],
      }),
    ),
    givenAt: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'For the legal basis CONSENT: when the person consented; RFC 3339',
      }),
    ),
  },
  {
    $id: 'Consent',
    additionalProperties: false,
    description:
      'The purpose of the call, its legal basis, and your record of it. Stored with the answer. A tenant may require it',
  },
)
/** The same where it has another role. */
export const consentFor = (description: string) =>
  Type.Object(Consent.properties, { additionalProperties: false, description })
export type Consent = Static<typeof Consent>
