// Can the report of another session be passed off? Not to a backend that says which user and how recent a report it expects.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { sqliteDatabases } from '../../testing/databases.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'

const { open } = sqliteDatabases

test('a report of another user or of an earlier time is answered as unknown, and confirms nothing', async (t) => {
  const service = await startTestService(t, await open(t))
  const visit = async (updateInfo?: object) => {
    const client = await sdkClient(service)
    const { requestId } = await client.analyse(undefined, updateInfo && { updateInfo })
    return (await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))).body.dfrId as string
  }
  let notice: string | null
  const read = async (dfrId: string, expected: object) => {
    const { status, body, headers } = await service.post(endpoints.deviceFingerprint.path, {
      dfrId,
      deviceType: 'WEB',
      ...expected,
    })
    notice = headers.get('x-ringfence-notice')
    return status === 404 ? body.errorMessage : status
  }
  const unknown = 'Device fingerprint report not found'
  const [asha, mallory, nobody] = [await visit({ userId: 'asha' }), await visit({ userId: 'mallory' }), await visit()]
  for (const dfrId of [asha, mallory, nobody]) assert.equal(await read(dfrId, {}), 200)
  assert.equal(await read(asha, { expectedUserId: 'asha' }), 200)
  for (const dfrId of [mallory, nobody]) {
    assert.equal(await read(dfrId, { expectedUserId: 'asha', userId: 'asha' }), unknown)
    assert.equal(notice!, 'the report names another user than expectedUserId')
  }
  assert.equal(await read(asha, { deviceType: 'ANDROID' }), unknown)
  assert.equal(notice!, 'the report is of another deviceType: send WEB')
  const { body } = await service.post(endpoints.listAccountDevices.path, { userId: 'asha' })
  assert.deepEqual(body.devices, [])
  service.clock.advance({ seconds: 60 })
  assert.equal(await read(asha, { maxAgeSeconds: 60, expectedUserId: 'asha' }), 200)
  assert.equal(await read(asha, { maxAgeSeconds: 59 }), unknown)
  assert.match(notice!, /^No report of this tenant has this id: .*too old/)
  assert.equal(await read(asha, {}), 200)
  for (const wrong of [{ maxAgeSeconds: 0 }, { maxAgeSeconds: 1.5 }, { maxAgeSeconds: '60' }, { expectedUserId: '' }])
    assert.equal(await read(asha, wrong), 400)
})
