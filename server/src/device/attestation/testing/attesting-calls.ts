// How does an Android phone of a test prove and attest its key in an engine call? Under an authority that the service trusts.

import { generateKeyPairSync, hash, randomBytes, X509Certificate } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { IntelligenceRequest } from '@ringfence/contract'
import { installationKey, signedTextOf } from '../../../testing/installation-key.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { until } from '../../../testing/until.ts'
import { revocationFile } from '../android/revocation-list.ts'
import { type AuthorityOptions, attestationAuthority, type ChainParts, type newPhoneKey } from './attesting-phone.ts'
import { integrityToken, type TokenParts } from './integrity-token.ts'
import { appDigests } from './key-description.ts'

type Key = ReturnType<typeof newPhoneKey>
/** The members that a phone adds to a body. */
export type Addition = (body: IntelligenceRequest) => Promise<object> | object

const challengeOf = (body: IntelligenceRequest) => hash('sha256', signedTextOf(body), 'buffer')

/** Makes the service trust a root and keys of the test. */
export async function attestingCalls(service: TestService, options: Partial<AuthorityOptions> = {}) {
  const { device, settings } = service.parts
  const authority = await attestationAuthority({ now: service.clock.now(), ...options })
  device.keyAttestation.roots = { hardware: [authority.root], software: [] }
  const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const decryption = randomBytes(32)
  device.playIntegrityKeys = new Map([['com.example.shop.android', { decryption, verification: signing.publicKey }]])

  const signed =
    ({ privateKey }: Key): Addition =>
    (body) => ({ proof: installationKey(privateKey).proofOf(body, 'der') })
  return {
    signed,
    /** The first call of a key, which was made for it. */
    attested:
      (key: Key, { description = {}, ...parts }: ChainParts = {}, isOfAnotherPhone = false): Addition =>
      async (body) => {
        const challenge = challengeOf(body)
        const ofPhone = isOfAnotherPhone ? await authority.anotherPhone() : authority
        const chain = await ofPhone.attest(key.publicKey, { ...parts, description: { challenge, ...description } })
        return { ...(await signed(key)(body)), attestation: { chain: chain.map((each) => each.toString('base64')) } }
      },
    /** A token of Play Integrity. */
    played:
      (parts: Partial<TokenParts> = {}): Addition =>
      async (body) => {
        const keys = { decryption, signing: signing.privateKey }
        const certificate = appDigests[0]!
        const token = { keys, challenge: challengeOf(body), certificate, now: service.clock.now(), ...parts }
        return { attestation: { integrityToken: await integrityToken(token) } }
      },
    /** The status list that `ringfence data update` would have fetched. */
    async publish(entries: object, datedMs: number = service.clock.now()) {
      const file = revocationFile(settings.dataFolder)
      const before = await device.keyAttestation.revocations.current()
      await mkdir(dirname(file), { recursive: true })
      const lists = [{ name: 'google', url: 'https://status.example', datedMs, entries }]
      await writeFile(file, JSON.stringify({ version: 1, lists }))
      service.clock.advance({ seconds: 6 })
      // A request waits only 250 ms for a newer list.
      await until(async () => (await device.keyAttestation.revocations.current()) !== before)
    },
    /** The serial of the certificate above the leaf, as the list writes it. */
    async issuerSerial(key: Key): Promise<string> {
      const [, issuer] = await authority.attest(key.publicKey)
      return BigInt(`0x${new X509Certificate(issuer!).serialNumber}`).toString(16)
    },
  }
}
