// Is docs/guides/known-devices.md still correct? Runs its commands in order.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { browserClient, ordinaryFacts } from '../../device/testdata/ordinary-report.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { newInstallationKey } from '../../testing/installation-key.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'

const guide = readFileSync(new URL('../../../../docs/guides/known-devices.md', import.meta.url), 'utf8')
const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'no curl on this machine'

test('the commands of docs/guides/known-devices.md work, and answer what it shows', { skip }, async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const app = await createApp(service)
  const key = newInstallationKey()
  const commands = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => command!)
  const shown = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => JSON.parse(json!))
  assert.deepEqual([commands.length, shown.length], [4, 4])
  const run = async (command: string, variables: object) => {
    const { clientId: RINGFENCE_CLIENT_ID, clientSecret: RINGFENCE_CLIENT_SECRET } = service.credentials
    const ours = { RINGFENCE_URL: service.url, RINGFENCE_CLIENT_ID, RINGFENCE_CLIENT_SECRET }
    const env = { ...process.env, ...ours, ...variables }
    return JSON.parse((await promisify(execFile)('bash', ['-euc', command], { env })).stdout)
  }
  const session = async () => {
    service.clock.advance({ hours: 24 })
    const { dfrId } = await (await browserClient(service, { app, key })).fingerprint(ordinaryFacts)
    return (await run(commands[0]!, { DFR_ID: dfrId })).identification
  }
  const first = await session()
  assert.ok(first.confidence >= 0 && first.confidence <= 1, `${first.confidence}`)
  // A test browser shows fewer facts than the real one of the guide, so its first visit is less sure.
  const { confidence } = shown[0].identification
  assert.deepEqual({ ...first, confidence }, shown[0].identification)
  const second = await session()
  const { device } = second.account
  assert.deepEqual(Object.keys(device), Object.keys(shown[1].identification.account.device))
  assert.deepEqual(
    { ...second, account: { ...second.account, device: shown[1].identification.account.device } },
    shown[1].identification,
  )
  const { devices } = await run(commands[1]!, {})
  assert.deepEqual(Object.keys(devices[0]), Object.keys(shown[2].devices[0]))
  assert.equal(devices[0].deviceId, device.deviceId)
  assert.equal((await run(commands[2]!, { DEVICE_ID: device.deviceId })).trusted, false)
  assert.equal((await session()).knownForAccount, 'no')
  assert.deepEqual(await run(commands[3]!, {}), shown[3])
})
