import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { type Learned, openCarried } from '../../device/calls/carried-analysis.ts'
import { androidPhone, iphone } from '../../device/testdata/phones.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { newInstallationKey } from '../../testing/installation-key.ts'
import { ordinaryFacts, type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'

const bytesIn = ({ challenge, bodyHash }: Learned) => [challenge, bodyHash].map((bytes) => Buffer.from(bytes))

/** An engine call, and what the sealed text is bound to. */
async function carriedIn(client: SdkClient, platform: 'WEB' | 'IOS' | 'ANDROID', facts: object) {
  const { requestId, analysis = '' } = await client.analyse(facts, { carry: true, updateInfo: { userId: 'asha' } })
  return { sealed: analysis, whose: { requestId, sessionId: client.sessionId, appId: client.app.id, platform } }
}

async function openedIn(
  client: SdkClient,
  { sealed, whose }: Awaited<ReturnType<typeof carriedIn>>,
  { parts, tenantId }: TestService,
) {
  const { requestId, sessionId: id, platform } = whose
  const session = { id, platform, app: client.app, packageName: '', expiresAt: 0 }
  return openCarried(
    sealed,
    requestId,
    { app: client.app, session },
    await parts.tenantKeyring.keysOf(tenantId),
    parts.compression,
  )
}

test('what the server keeps of an engine call is what it opens from the sealed text', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const facts = { WEB: ordinaryFacts, IOS: iphone().facts, ANDROID: androidPhone().facts }
  for (const platform of ['WEB', 'IOS', 'ANDROID'] as const) {
    const client = await sdkClient(service, { platform, ...(platform === 'WEB' && { key: newInstallationKey() }) })
    const call = await carriedIn(client, platform, facts[platform])
    const opened = await openedIn(client, call, service)
    const kept = service.parts.deviceReport.handedOver.take(call.sealed, call.whose)
    assert.ok(kept && typeof opened === 'object')
    assert.deepEqual([kept.analysis, kept.text], [opened.analysis, opened.text], platform)
    assert.deepEqual(bytesIn(kept), bytesIn(opened))
  }
})

test('an analysis is handed over once, for its own call, within seconds', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const client = await sdkClient(service)
  const { handedOver } = service.parts.deviceReport
  const { sealed, whose } = await carriedIn(client, 'WEB', ordinaryFacts)
  for (const changed of [{ requestId: 'x' }, { sessionId: 'x' }, { appId: 'rfa_x' }, { platform: 'IOS' as const }]) {
    assert.equal(handedOver.take(sealed, { ...whose, ...changed }), undefined)
  }
  assert.equal(handedOver.take(`${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'B' : 'A'}`, whose), undefined)
  assert.ok(handedOver.take(sealed, whose))
  assert.equal(handedOver.take(sealed, whose), undefined)
  const later = await carriedIn(client, 'WEB', ordinaryFacts)
  service.clock.advance({ seconds: 5 })
  assert.equal(handedOver.take(later.sealed, later.whose), undefined)
  const body = {
    ...client.pushBody(later.whose.requestId),
    data: { requestId: later.whose.requestId, analysis: later.sealed },
  }
  assert.equal((await client.post(endpoints.pushFingerprint.path, body)).status, 200, 'it is opened')
})
