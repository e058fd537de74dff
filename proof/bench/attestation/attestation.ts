// What does it cost to verify the certificates of an Android phone's key, alone and in a visit?

import { createHash } from 'node:crypto'
import {
  type KnownIssuer,
  verifyKeyAttestation,
} from '../../../server/src/device/attestation/android/key-attestation.ts'
import { revocationList } from '../../../server/src/device/attestation/android/revocation-list.ts'
import {
  type AttestationAuthority,
  attestationAuthority,
  newPhoneKey,
} from '../../../server/src/device/attestation/testing/attesting-phone.ts'
import { androidPhone } from '../../../server/src/device/testdata/phones.ts'
import { installationKey, signedTextOf } from '../../../server/src/testing/installation-key.ts'
import { type DeviceBench, openDeviceBench, type PreparedVisit } from '../device-visits.ts'
import {
  answer,
  type Bench,
  cpuSeconds,
  inTurns,
  perCentOf,
  perCpuSecond,
  row,
  type Table,
} from '../harness/harness.ts'
import { withResources } from '../harness/processes.ts'

export const attestation: Bench = {
  name: 'attestation',
  run: () => withResources(async (keep, folder) => [await chains(), await visits(keep(await openDeviceBench(folder)))]),
}

const chainsPerKind = 50
const visitsPerRound = 200
/** With one time for all, an index by time would be in random order. */
const msBetweenVisits = 10
const { facts } = androidPhone()

async function chains(): Promise<Table> {
  const now = Date.now()
  const kinds = await Promise.all(
    (['factory', 'remote'] as const).map(async (provisioning) => {
      const authority = await attestationAuthority({ now, provisioning })
      const made = Array.from({ length: chainsPerKind }, () => authority.attest(newPhoneKey().publicKey))
      return { authority, chains: await Promise.all(made) }
    }),
  )
  const micros = (kind: (typeof kinds)[number], isKnown: boolean) => {
    const verified: Map<string, KnownIssuer> = new Map()
    const trusted = {
      roots: { hardware: [kind.authority.root], software: [] },
      revoked: revocationList([]),
      ...(isKnown && { verified }),
      now,
    }
    const rate = perCpuSecond(kind.chains, (chain) => verifyKeyAttestation(chain, trusted).level === 'hardware')
    return { micros: 1e6 / rate.perCpuSecond }
  }
  const [factory, remote] = kinds as [(typeof kinds)[number], (typeof kinds)[number]]
  const found = await inTurns({
    factoryFirst: () => micros(factory, false),
    factoryKnown: () => micros(factory, true),
    remoteFirst: () => micros(remote, false),
    remoteKnown: () => micros(remote, true),
  })
  const goal = { atMost: 1000 }
  return {
    title: 'Certificates of an Android phone’s key',
    notes: [
      'CPU time of one chain: signatures, dates, root, status list, extension. Four certificates as a factory installs them, five as they are provisioned remotely, under a root of P-384. A server remembers the certificates near the root, which many phones share.',
    ],
    rows: [
      row('four certificates, issuers known', 'µs', found.factoryKnown.micros, goal),
      row('… issuers seen for the first time', 'µs', found.factoryFirst.micros, goal),
      row('five certificates, issuers known', 'µs', found.remoteKnown.micros, goal),
      answer('… issuers seen for the first time', 'µs', found.remoteFirst.micros),
    ],
  }
}

async function visits(service: DeviceBench): Promise<Table> {
  const { clock, needs } = service
  const [factory, remote] = [
    await attestationAuthority({ now: clock.time }),
    await attestationAuthority({ now: clock.time, provisioning: 'remote' }),
  ]
  needs.device.keyAttestation.roots = { hardware: [factory.root, remote.root], software: [] }
  const measured = async (authority?: AttestationAuthority, keys = newKeys()) => {
    const prepared: PreparedVisit[] = []
    for (const each of keys) prepared.push(await prepare(service, each, await authority?.anotherPhone()))
    const start = cpuSeconds()
    for (const visit of prepared) {
      clock.time += msBetweenVisits
      await service.fingerprint(visit)
    }
    return { millis: (1000 * (cpuSeconds() - start)) / visitsPerRound }
  }
  const known = newKeys()
  await measured(factory, known)
  const plain = newKeys()
  await measured(undefined, plain)
  const found = await inTurns({
    first: () => measured(),
    attested: () => measured(factory),
    remotely: () => measured(remote),
    again: () => measured(undefined, plain),
    attestedAgain: () => measured(undefined, known),
  })
  const goal = { atMost: 110 }
  return {
    title: 'A visit of an Android phone that attests its key',
    notes: [
      'Engine call and push by their handlers, without HTTP, one after the other. A key brings its certificates once, with its first call.',
    ],
    rows: [
      row('later visits of an attested key', '%', perCentOf(found.attestedAgain.millis, found.again.millis), goal),
      row(
        'the first visit of a key, with certificates',
        '%',
        perCentOf(found.attested.millis, found.first.millis),
        goal,
      ),
      row('… that is provisioned remotely', '%', perCentOf(found.remotely.millis, found.first.millis), goal),
      row('the first visit of a key, without', 'ms', found.first.millis),
      row('… with certificates', 'ms', found.attested.millis),
    ],
  }
}

type Key = ReturnType<typeof newPhoneKey>

const newKeys = () => Array.from({ length: visitsPerRound }, () => newPhoneKey())

/** Each phone has its own ids, as a key belongs to one. */
async function prepare(
  service: DeviceBench,
  { privateKey, publicKey }: Key,
  authority: AttestationAuthority | undefined,
): Promise<PreparedVisit> {
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
  const visit = await service.prepare({
    facts: { ...facts, drmId: id, androidId: id.slice(0, 16) },
    address: '49.200.0.1',
    platform: 'ANDROID',
    key: installationKey(privateKey),
  })
  if (!authority) return visit
  const challenge = createHash('sha256').update(signedTextOf(visit.body)).digest()
  const chain = await authority.attest(publicKey, { description: { challenge } })
  return { ...visit, body: { ...visit.body, attestation: { chain: chain.map((each) => each.toString('base64')) } } }
}
