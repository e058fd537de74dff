// Can somebody pass for a phone that proves its App Attest key? With its ids, its proofs, or facts swapped under a proof.

import { randomUUID } from 'node:crypto'
import { endpoints, type IntelligenceRequest, type IosFacts } from '@ringfence/contract'
import {
  type AttestingDevice,
  makeTestRoot,
} from '../../../../server/src/device/attestation/testing/attesting-device.ts'
import { iphone } from '../../../../server/src/device/testdata/phones.ts'
import { signedTextOf } from '../../../../server/src/testing/installation-key.ts'
import { sdkClient, shopBundleId } from '../../../../server/src/testing/sdk-client.ts'
import { type Attack, type AttackStage, attack } from './attack.ts'
import type { Seen } from './victim-and-attacker.ts'

const appleTeamId = 'A1B2C3D4E5'
const appId = `${appleTeamId}.${shopBundleId}`
const victimFacts = iphone().facts as IosFacts

/** `attestation` for a body that is about to be sent. */
type Proof = (body: IntelligenceRequest) => Promise<object> | object

interface Sent {
  readonly facts: object
  readonly proof?: Proof
  readonly userId?: string
  /** Members that are replaced after the proof was made. */
  readonly swapped?: object
}

const attest =
  (stage: AttackStage, device: AttestingDevice): Proof =>
  async (body) => {
    const parts = { appId, clientData: Buffer.from(signedTextOf(body)), aaguid: 'appattest', counter: 0 }
    const madeAt = stage.service.clock.now()
    const made = await device.attest({ ...parts, madeAt, format: 'apple-appattest' })
    return { keyId: device.keyId, attestation: Buffer.from(made).toString('base64') }
  }

const assertion =
  (device: AttestingDevice, counter: number): Proof =>
  (body) => {
    const made = device.assert({ appId, clientData: Buffer.from(signedTextOf(body)), counter })
    return { keyId: device.keyId, assertion: Buffer.from(made).toString('base64') }
  }

async function visit(stage: AttackStage, { facts, proof, userId, swapped }: Sent): Promise<Omit<Seen, 'deviceToken'>> {
  const { service, app } = stage
  const sdk = await sdkClient(service, { app, platform: 'IOS' })
  const body = sdk.engineBody(facts, userId === undefined ? {} : { updateInfo: { userId } })
  const attestation = await proof?.(body)
  const call = await sdk.post(endpoints.intelligence.path, { ...body, ...(attestation && { attestation }), ...swapped })
  if (call.status !== 200) throw new Error(`the engine call is answered ${call.status} ${JSON.stringify(call.body)}`)
  const push = await sdk.post(endpoints.pushFingerprint.path, sdk.pushBody(call.body.requestId))
  if (push.status !== 200) throw new Error(`the push is answered ${push.status} ${JSON.stringify(push.body)}`)
  const { dfrId } = push.body
  const question = { dfrId, deviceType: 'IOS', include: ['identification'] }
  const { body: report } = await service.post(endpoints.deviceFingerprint.path, question)
  return {
    requestId: body.requestId,
    dfrId,
    deviceId: report.deviceId,
    risk: report.deviceRiskScore,
    rules: Object.keys(report.appliedRules.rules),
    identification: report.identification,
  }
}

/** A phone whose key is attested, which was used twice, a day apart. */
async function establishedPhone(stage: AttackStage) {
  const root = await makeTestRoot(stage.service.clock.now())
  stage.service.parts.device.appAttestRoot = root.pem
  const victim = await root.newDevice()
  await visit(stage, { facts: victimFacts, proof: attest(stage, victim), userId: 'asha' })
  stage.service.clock.advance({ hours: 25 })
  const before = await visit(stage, { facts: victimFacts, proof: assertion(victim, 1), userId: 'asha' })
  stage.unless(
    before.identification?.by === 'key',
    () => `a proved phone is identified by ${before.identification?.by}`,
  )
  return { root, victim, before }
}

async function attackBy(stage: AttackStage, what: string, sent: Sent) {
  const seen = await visit(stage, sent)
  stage.damage.visits++
  const isProved = seen.identification?.by === 'key'
  if (isProved) stage.damage.tokensOfOthers++
  stage.unless(!isProved, () => `${what} counts as proved`)
  return seen
}

async function assertUnharmed(
  stage: AttackStage,
  victim: AttestingDevice,
  before: Omit<Seen, 'deviceToken'>,
  counter = 1000,
) {
  const after = await visit(stage, { facts: victimFacts, proof: assertion(victim, counter), userId: 'asha' })
  const added = Math.max(0, after.risk - before.risk)
  stage.damage.pointsAdded += added
  stage.unless(added === 0, () => `the victim goes from ${before.risk} to ${after.risk}`)
  stage.unless(after.deviceId === before.deviceId, () => 'the victim has another id')
  stage.unless(after.identification?.by === 'key', () => `the victim is identified by ${after.identification?.by}`)
}

const onPhone = (name: string, run: Attack['run']) => attack(name, run, { appSettings: { appleTeamId } })

export const attacksOnPhones: readonly Attack[] = [
  onPhone('swapped App Attest facts', async (stage) => {
    const { root, victim, before } = await establishedPhone(stage)
    const own = await root.newDevice()
    const ownFacts = { ...victimFacts, keychainId: { id: randomUUID() }, vendorId: randomUUID() }
    const first = await visit(stage, { facts: ownFacts, proof: attest(stage, own), userId: 'mule' })
    stage.unless(first.deviceId !== before.deviceId, () => 'the attacker’s phone has the id of the victim')
    let counter = 0
    const proof = () => assertion(own, ++counter)
    const swaps: Record<string, object> = {
      'other facts': { facts: { ...ownFacts, jailbroken: false } },
      'the keychain id of the victim': { facts: { ...ownFacts, keychainId: victimFacts.keychainId } },
      'no facts': { facts: {} },
      'another user': { updateInfo: { userId: 'asha' } },
    }
    for (const [what, swapped] of Object.entries(swaps)) {
      await attackBy(stage, `a proof with ${what}`, { facts: ownFacts, proof: proof(), swapped, userId: 'mule' })
    }
    // The attacker's genuine key over ids that are not its own: the key is tied to its phone.
    await attackBy(stage, 'ids of the victim under a key of another phone', {
      facts: { ...ownFacts, keychainId: victimFacts.keychainId },
      proof: proof(),
      userId: 'mule',
    })
    const clone: Proof = async (body) => ({ ...(await assertion(own, 500)(body)), keyId: victim.keyId })
    await attackBy(stage, 'the key id of the victim', { facts: victimFacts, proof: clone, userId: 'mule' })
    await attackBy(stage, 'a counter that falls back', {
      facts: victimFacts,
      proof: assertion(victim, 1),
      userId: 'mule',
    })
    await assertUnharmed(stage, victim, before)
  }),
  onPhone('replayed ids of a phone that proves its key', async (stage) => {
    const { root, victim, before } = await establishedPhone(stage)
    for (let index = 0; index < 12; index++) {
      await attackBy(stage, 'ids without a key', { facts: victimFacts, userId: `mule-${index}` })
    }
    // A new key of another phone, attested over the victim's ids: another installation, whose history is its own.
    for (let index = 0; index < 4; index++) {
      const other = await root.newDevice()
      stage.damage.visits++
      await visit(stage, { facts: victimFacts, proof: attest(stage, other), userId: `mule-${20 + index}` })
    }
    await assertUnharmed(stage, victim, before)
  }),
]
