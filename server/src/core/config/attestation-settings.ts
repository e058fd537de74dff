// With what are Android phones attested? What the configuration file says of status lists and of Play Integrity.

import Type, { type Static } from 'typebox'
import { PublishedUrl } from '../address/called-url.ts'
import { SecretReference } from './secret-reference.ts'

/** A status list of attestation certificates, under a name of your choice in the configuration file. */
export const RevocationSource = Type.Object(
  {
    url: PublishedUrl(
      'Where it is published: JSON in the form of Google’s list, `{ "entries": { "<serial number in hex>": { "status": "REVOKED" } } }`. Use file:// for a list of your own',
    ),
  },
  { additionalProperties: false },
)

export type RevocationSources = Readonly<Record<string, Static<typeof RevocationSource>>>

const defaultRevocationLists: RevocationSources = {
  google: { url: 'https://android.googleapis.com/attestation/status' },
}

/** The lists that are in use. */
export const revocationSources = (attestation: AttestationSettings | undefined): RevocationSources =>
  attestation?.revocationLists ?? defaultRevocationLists

/**
 * The keys of an app, under its package name, as the Play Console shows them when you manage the response encryption yourself. The
 * decryption key is 32 bytes in base64.
 */
export const PlayIntegrityKeys = Type.Object(
  {
    decryptionKey: SecretReference,
    verificationKey: Type.String({
      pattern: '^[A-Za-z0-9+/]{64,256}={0,2}$',
      description: 'The verification key: a public key of P-256 in base64',
    }),
  },
  { additionalProperties: false },
)

export type PlayIntegritySettings = Readonly<Record<string, Static<typeof PlayIntegrityKeys>>>

/** The key `attestation` of the configuration file. */
export const AttestationSettings = Type.Object(
  {
    revocationLists: Type.Optional(
      Type.Record(Type.String(), RevocationSource, {
        description:
          'Status lists of certificates that `ringfence data update` downloads, instead of Google’s, by a name of your choice',
      }),
    ),
    playIntegrity: Type.Optional(
      Type.Record(Type.String(), PlayIntegrityKeys, {
        description: 'The keys of Play Integrity tokens, by the package name of the app',
      }),
    ),
  },
  { additionalProperties: false, description: 'How Android phones are attested' },
)
export type AttestationSettings = Static<typeof AttestationSettings>
