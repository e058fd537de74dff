import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp, type SdkClient, sdkClient, shopBundleId } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { analysisOf } from '../store/find-analysis.ts'
import { iphone } from '../testdata/phones.ts'
import { type AttestationParts, makeTestRoot } from './testing/attesting-device.ts'

const { path } = endpoints.intelligence
const appleTeamId = 'A1B2C3D4E5'
const appId = `${appleTeamId}.${shopBundleId}`

eachDatabase(({ engine, open }) => {
  test(`records App Attest proofs as evidence, and never refuses the call (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const root = await makeTestRoot(service.clock.now())
    service.platform.appAttestRoot = root.pem
    const device = await root.newDevice()
    const begin = async (settings: object) =>
      sdkClient(service, { platform: 'IOS', app: await createApp(service, { settings: { appleTeamId, ...settings } }) })
    const client = await begin({})
    let challenge = client.challenge

    /** The engine call with the proof that is made for it. */
    async function call(
      proofOf: (clientData: Buffer) => Promise<object | undefined> | object | undefined,
      by: SdkClient = client,
      next: string = challenge,
    ) {
      const requestId = randomUUID()
      const attestation = await proofOf(Buffer.from(JSON.stringify({ challenge: next, requestId })))
      const body = by.engineBody(iphone().facts, { requestId, challenge: next, ...(attestation && { attestation }) })
      const { status, body: answer } = await by.post(path, body)
      assert.equal(status, 200, JSON.stringify(answer))
      if (by === client) challenge = answer.nextChallenge
      const analysis = await analysisOf({ requestId }, service, service.platform)
      return {
        attestation: analysis?.evidence.attestation,
        tampered: analysis?.judgement.verdicts.appTampering?.result,
        body,
      }
    }
    const proof = (clientData: Buffer, kind: object) => ({
      keyId: device.keyId,
      clientData: clientData.toString('base64'),
      ...kind,
    })
    const attest =
      (changes: Partial<AttestationParts> = {}) =>
      async (clientData: Buffer) => {
        const parts = { appId, clientData, aaguid: 'appattest', counter: 0, madeAt: service.clock.now() - 1000 }
        const made = await device.attest({ ...parts, format: 'apple-appattest', ...changes })
        return proof(clientData, { attestation: Buffer.from(made).toString('base64') })
      }
    const assertion =
      (counter: number, ofApp = appId) =>
      (clientData: Buffer) =>
        proof(clientData, {
          assertion: Buffer.from(device.assert({ appId: ofApp, clientData, counter })).toString('base64'),
        })

    const unknown = await call(assertion(1))
    assert.deepEqual(
      [unknown.attestation, unknown.tampered],
      [{ state: 'absent', because: 'its key is unknown' }, false],
    )
    const first = await call(attest())
    assert.deepEqual([first.attestation, first.tampered], [{ state: 'proved', keyId: device.keyId }, false])
    assert.equal((await call(assertion(1))).attestation?.state, 'proved')
    assert.equal((await call(assertion(5))).attestation?.state, 'proved')
    const behind = await call(assertion(5))
    assert.deepEqual([behind.attestation?.state, behind.tampered], ['refused', true])
    const foreign = await call(assertion(6, `${appleTeamId}.com.thief`))
    assert.deepEqual(foreign.attestation, { state: 'refused', because: 'another app made it' })
    const stale = await call(() => assertion(7)(Buffer.from(JSON.stringify({ challenge: 'x', requestId: 'y' }))))
    assert.deepEqual(stale.attestation, { state: 'refused', because: 'it is of another call' })
    for (const odd of [{ keyId: 7 }, { keyId: 'x', clientData: '???' }, {}, { keyId: '', clientData: '' }]) {
      assert.equal((await call(() => odd)).attestation?.state, 'refused', JSON.stringify(odd))
    }
    assert.equal((await call(assertion(8))).attestation?.state, 'proved', 'what was refused counted nothing')

    const again = await client.post(path, first.body)
    assert.equal(again.status, 200, 'the same body repeated is answered as before')
    assert.equal((await call(() => undefined)).attestation?.state, 'absent')
    const strict = await begin({ appAttest: 'required' })
    const none = await call(() => undefined, strict, strict.challenge)
    assert.deepEqual([none.attestation, none.tampered], [{ state: 'refused', because: 'no proof' }, true])
    const relaxed = await sdkClient(service, { platform: 'IOS' })
    assert.equal((await call(() => undefined, relaxed, relaxed.challenge)).attestation, undefined, 'not asked for')
    const building = await begin({ appAttest: 'development' })
    const made = await call(attest({ aaguid: 'appattestdevelop' }), building, building.challenge)
    assert.equal(made.attestation?.state, 'proved')
  })

  test(`accepts one of several concurrent assertions with the same counter (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { overloadDelayMs: 60_000 } })
    const root = await makeTestRoot(service.clock.now())
    service.platform.appAttestRoot = root.pem
    const device = await root.newDevice()
    const app = await createApp(service, { settings: { appleTeamId } })
    const newCall = async (proofOf: (clientData: Buffer) => Promise<object> | object) => {
      const client = await sdkClient(service, { platform: 'IOS', app })
      const requestId = randomUUID()
      const clientData = Buffer.from(JSON.stringify({ challenge: client.challenge, requestId }))
      const attestation = {
        keyId: device.keyId,
        clientData: clientData.toString('base64'),
        ...(await proofOf(clientData)),
      }
      return async () => {
        assert.equal((await client.post(path, client.engineBody({}, { requestId, attestation }))).status, 200)
        return (await analysisOf({ requestId }, service, service.platform))?.evidence.attestation?.state
      }
    }
    const attested = await newCall(async (clientData) => {
      const parts = { appId, clientData, aaguid: 'appattest', counter: 0, madeAt: service.clock.now() - 1000 }
      return {
        attestation: Buffer.from(await device.attest({ ...parts, format: 'apple-appattest' })).toString('base64'),
      }
    })
    assert.equal(await attested(), 'proved')
    const calls = await Promise.all(
      Array.from({ length: 6 }, () =>
        newCall((clientData) => ({
          assertion: Buffer.from(device.assert({ appId, clientData, counter: 3 })).toString('base64'),
        })),
      ),
    )
    const states = await Promise.all(calls.map((call) => call()))
    assert.deepEqual(states.toSorted(), ['proved', ...Array(5).fill('refused')])
  })
})
