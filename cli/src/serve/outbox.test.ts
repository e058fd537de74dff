import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { sdkClientOf, shopOrigin } from '@ringfence/server/testing/sdk-client.ts'
import { commandLine } from '../testing.ts'

test('a production serve with an outbox channel prints no OTP, neither to stdout nor to the log', async (t) => {
  const { folder, run, serve } = await commandLine(t)
  await writeFile(join(folder, 'outbox.yaml'), 'channels: { sms: { type: outbox, recipient: MOBILE } }\n')
  await run(['init', '--tenant', 'shop', '--json'])
  const create = ['apps', 'create', '--tenant', 'shop', '--name', 'web', '--origin', shopOrigin, '--json']
  const created = await run(create)
  const { appId } = JSON.parse(created.stdout)
  const service = await serve(['--config', 'outbox.yaml', '--log-level', 'trace'])
  const client = await sdkClientOf({ id: appId } as Parameters<typeof sdkClientOf>[0], service)
  const identity = { type: 'MOBILE', value: '917020141726' }
  const started = await client.post(endpoints.signInStart.path, { channel: 'OTP', identity })
  assert.equal(started.status, 200, JSON.stringify(started.body))
  // The log writes its lines together: only its end shows all of them.
  const { stdout, stderr } = await service.stop('SIGTERM')
  assert.match(stderr, /only serve --sandbox shows the messages/)
  assert.match(stderr, /"stopping"/, 'the log is whole')
  for (const output of [stdout, stderr]) assert.doesNotMatch(output, /is your code|\b917020141726\b/)
})
