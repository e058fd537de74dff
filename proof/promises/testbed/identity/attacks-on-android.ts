// Can somebody pass for an Android phone whose hardware attests your app? With an own root, another app, or the certificates of a victim.

import { hash } from 'node:crypto'
import { endpoints, type IntelligenceRequest } from '@ringfence/contract'
import { type Addition, attestingCalls } from '../../../../server/src/device/attestation/testing/attesting-calls.ts'
import {
  attestationAuthority,
  extended,
  newPhoneKey,
} from '../../../../server/src/device/attestation/testing/attesting-phone.ts'
import { appCertificates } from '../../../../server/src/device/attestation/testing/key-description.ts'
import { androidPhone } from '../../../../server/src/device/testdata/phones.ts'
import { signedTextOf } from '../../../../server/src/testing/installation-key.ts'
import { sdkClient } from '../../../../server/src/testing/sdk-client.ts'
import { type Attack, type AttackStage, attack } from './attack.ts'

const { facts: victimFacts } = androidPhone()
const ownFacts = { ...victimFacts, drmId: 'of-the-attacker', androidId: 'b774d56d682e549c' }

interface Attested {
  readonly attestation: { readonly chain: readonly string[] }
}

async function visit({ service, app }: AttackStage, facts: object, additionOf: Addition) {
  const sdk = await sdkClient(service, { app, platform: 'ANDROID' })
  const body = sdk.engineBody(facts)
  const call = await sdk.post(endpoints.intelligence.path, { ...body, ...(await additionOf(body)) })
  if (call.status !== 200) throw new Error(`the engine call is answered ${call.status} ${JSON.stringify(call.body)}`)
  const { dfrId } = (await sdk.post(endpoints.pushFingerprint.path, sdk.pushBody(body.requestId))).body
  const question = { dfrId, deviceType: 'ANDROID', include: ['identification', 'signals'] }
  const { body: report } = await service.post(endpoints.deviceFingerprint.path, question)
  return {
    deviceId: report.deviceId,
    risk: report.deviceRiskScore,
    by: report.identification?.by,
    level: report.signals.appAttestation.verdict.result as string,
    isUnattested: report.signals.unattested.verdict.result as boolean,
  }
}

const settings = { attestation: { ANDROID: 'required' }, androidCertificates: appCertificates }

export const attacksOnAndroid: readonly Attack[] = [
  attack(
    'forged, stolen and repackaged Android attestation',
    async (stage) => {
      const { signed, attested } = await attestingCalls(stage.service)
      const [victim, thief] = [newPhoneKey(), newPhoneKey()]
      const taken: Attested[] = []
      const first = await visit(stage, victimFacts, async (body) => {
        const sent = await attested(victim)(body)
        taken.push(sent as Attested)
        return sent
      })
      stage.unless(first.level === 'hardware', () => `an honest phone is ${first.level}`)

      const own = await attestationAuthority({ now: stage.service.clock.now() })
      const base64 = (chain: readonly Buffer[]) => ({ chain: chain.map((each) => each.toString('base64')) })
      const stolen = { chain: taken[0]!.attestation.chain }
      const changed = (chain: readonly string[]) => {
        const leaf = Buffer.from(chain[0]!, 'base64')
        leaf[leaf.length >> 1]! ^= 1
        return [leaf.toString('base64'), ...chain.slice(1)]
      }
      const byThief =
        (attestation: (body: IntelligenceRequest) => Promise<object> | object): Addition =>
        async (body) => ({ ...(await signed(thief)(body)), attestation: await attestation(body) })
      const chainOfThief = async (body: IntelligenceRequest) => ((await attested(thief)(body)) as Attested).attestation
      const tries: Record<string, Addition> = {
        'no certificates': signed(thief),
        'certificates under a root of his own': byThief(async (body) => {
          const challenge = hash('sha256', signedTextOf(body), 'buffer')
          return base64(await own.attest(thief.publicKey, { description: { challenge } }))
        }),
        'the certificates of the victim': byThief(() => stolen),
        'the certificates of the victim, and no proof': () => ({ attestation: stolen }),
        'a changed byte': byThief(async (body) => ({ chain: changed((await chainOfThief(body)).chain) })),
        'a key that an attested one signed': byThief(async (body) => {
          const chain = (await chainOfThief(body)).chain.slice(0, 4).map((each) => Buffer.from(each, 'base64'))
          return base64(await extended(chain, thief.privateKey, newPhoneKey().publicKey))
        }),
        'an app that he signed': attested(thief, { description: { certificates: [Buffer.alloc(32, 0xee)] } }),
        'another app': attested(thief, { description: { packageName: 'com.thief' } }),
        'a key for another purpose': attested(thief, { description: { challenge: Buffer.alloc(32) } }),
        'an unlocked phone': attested(newPhoneKey(), { description: { locked: 0, bootState: 2 } }),
        'a system of his own': attested(newPhoneKey(), { description: { bootState: 1 } }),
      }
      for (const [what, additionOf] of Object.entries(tries)) {
        for (const facts of [ownFacts, victimFacts]) {
          const seen = await visit(stage, facts, additionOf)
          stage.damage.visits++
          stage.unless(seen.isUnattested, () => `${what} counts as attested: ${seen.level}`)
        }
      }

      const after = await visit(stage, victimFacts, signed(victim))
      const added = Math.max(0, after.risk - first.risk)
      stage.damage.pointsAdded += added
      stage.unless(added === 0, () => `the victim goes from ${first.risk} to ${after.risk}`)
      stage.unless(after.deviceId === first.deviceId, () => 'the victim has another id')
      stage.unless(after.by === 'key' && after.level === 'hardware', () => `the victim is ${after.by}, ${after.level}`)
    },
    { appSettings: settings },
  ),
]
