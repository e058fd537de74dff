import assert from 'node:assert/strict'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DeviceReport, endpoints } from '@ringfence/contract'
import type { App } from '@ringfence/server/apps/app.ts'
import { ordinaryFacts, sdkClientOf, shopOrigin } from '@ringfence/server/testing/sdk-client.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { commandLine } from '../testing.ts'

test('a rule from the command line blocks the next session of a device, and a backtest over stored reports lists the sessions that it would have hit', async (t) => {
  const { folder, run, serve } = await commandLine(t)
  const credentials = JSON.parse((await run(['init', '--tenant', 'shop', '--json'])).stdout)
  const { clientId, clientSecret } = credentials
  const { url } = await serve([], { env: { APP_RATE_PER_SECOND: '1000', APP_RATE_BURST: '1000' } })
  const made = await run(['apps', 'create', '--tenant', 'shop', '--name', 'web', '--origin', shopOrigin, '--json'])
  const app = { id: JSON.parse(made.stdout).appId } as App

  let deviceToken: string | undefined
  /** A session of the device, as its app's backend reads it. */
  const session = async (params: object = {}): Promise<DeviceReport> => {
    const client = await sdkClientOf(app, { url })
    const answer = await client.analyse({ ...ordinaryFacts, ...(deviceToken && { deviceToken }) })
    deviceToken ??= answer.deviceToken
    const { body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(answer.requestId, params))
    const response = await fetch(url + endpoints.deviceFingerprint.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', clientId, clientSecret },
      body: JSON.stringify({ dfrId: body.dfrId, deviceType: 'WEB' }),
    })
    assert.equal(response.status, 200)
    return (await response.json()) as DeviceReport
  }
  const [small, large] = [await session({ amount: 5 }), await session({ amount: 25 })]
  assert.equal(large.deviceId, small.deviceId)

  const file = join(folder, 'rules.yaml')
  await writeFile(file, (await run(['rules', 'show'])).stdout)
  await appendFile(
    file,
    `  - id: stolen
    name: Reported stolen
    when: deviceId == "${small.deviceId}" and params.amount > 10
    action: BLOCK
    score: 95
    message: Please call us.
`,
  )
  await run(['rules', 'draft', file])
  const tried = await run(['rules', 'backtest', '--hits', 'hits.jsonl'])
  assert.match(tried.stdout, new RegExp(`\\n  stolen: ${large.requestId}\\n`), tried.stdout + tried.stderr)
  const hits = (await readFile(join(folder, 'hits.jsonl'), 'utf8'))
    .split('\n')
    .filter((line) => line.includes('stolen'))
  assert.deepEqual(
    hits.map((line) => JSON.parse(line).requestId),
    [large.requestId],
  )
  assert.ok(!Object.hasOwn((await session({ amount: 25 })).appliedRules.rules, 'stolen : Reported stolen'), 'a draft')

  await run(['rules', 'shadow'])
  await run(['rules', 'live'])
  const blocked = await until(
    () => session({ amount: 25 }),
    ({ ruleAction }) => ruleAction.name === 'Reported stolen',
  )
  const { action, message } = blocked.ruleAction
  assert.deepEqual([action, message, blocked.deviceId], ['BLOCK', 'Please call us.', small.deviceId])
  assert.equal(blocked.appliedRules.rules['stolen : Reported stolen'], 95)
  assert.ok(!Object.hasOwn((await session({ amount: 5 })).appliedRules.rules, 'stolen : Reported stolen'))
})
