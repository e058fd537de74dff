// How does a test let Android phones call a service that trusts their authority, and see what it found out?

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { App } from '../../../apps/app.ts'
import { appSettings } from '../../../apps/app-settings.ts'
import type { Database } from '../../../core/storage/database.ts'
import { createApp, sdkClient, shopPackageName } from '../../../testing/sdk-client.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { analysisOf } from '../../store/find-analysis.ts'
import { androidPhone } from '../../testdata/phones.ts'
import { type Addition, attestingCalls } from './attesting-calls.ts'
import type { AuthorityOptions } from './attesting-phone.ts'
import { appCertificates } from './key-description.ts'

const { path } = endpoints.intelligence
const { facts } = androidPhone()

/** A service that trusts an authority of the test, and the calls of phones to it. */
export async function attestingPhones(t: TestContext, database: Database, authority: Partial<AuthorityOptions> = {}) {
  const service = await startTestService(t, database, { settings: { overloadDelayMs: 60_000 } })
  const calls = await attestingCalls(service, authority)
  const newApp = (settings: object = {}, packageNames: readonly string[] = [shopPackageName]) =>
    createApp(service, { packageNames, settings: { androidCertificates: appCertificates, ...settings } })
  const change = async (app: App, settings: object) => {
    await service.parts.apps.update({ ...app, settings: appSettings({ ...app.settings, ...settings }) })
    service.clock.advance({ seconds: 2 })
  }
  const found = async (requestId: string) => {
    const analysis = await analysisOf({ requestId }, service, service.parts)
    const { verdicts, reasons } = analysis!.judgement
    return {
      level: verdicts.appAttestation?.result,
      reasons: reasons.appAttestation,
      revocations: verdicts.appAttestation?.revocations,
      tampered: verdicts.appTampering?.result,
      tamperedBy: reasons.appTampering,
      rooted: verdicts.rootApps?.result,
      unattested: verdicts.unattested,
      unattestedBy: reasons.unattested,
      play: verdicts.appAttestation?.playIntegrity,
      access: verdicts.appAccessRisk,
      identification: analysis!.identification,
      deviceId: analysis!.deviceId,
    }
  }
  /** Engine calls of one phone, one after the other. */
  async function phone(app?: App, packageName = shopPackageName) {
    const client = await sdkClient(service, { platform: 'ANDROID', packageName, app: app ?? (await newApp()) })
    let { challenge } = client
    return async (additionOf: Addition) => {
      const body = client.engineBody(facts, { requestId: randomUUID(), challenge })
      const { status, body: answer } = await client.post(path, { ...body, ...(await additionOf(body)) })
      assert.equal(status, 200, JSON.stringify(answer))
      challenge = answer.nextChallenge
      return found(body.requestId)
    }
  }
  return { service, ...calls, newApp, change, phone, found }
}
