import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { DeviceReport } from '@ringfence/contract'
import { endpoints } from '@ringfence/contract'
import type { App } from '@ringfence/server/apps/app.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { openKeyring } from '@ringfence/server/core/crypto/open-keyring.ts'
import { tenantKeyring } from '@ringfence/server/core/crypto/tenant-keyring.ts'
import { openDatabase } from '@ringfence/server/core/storage/open-database.ts'
import { listTenants } from '@ringfence/server/core/storage/tenants.ts'
import { storeCompany } from '@ringfence/server/device/learning/testing/store-company.ts'
import { laptop } from '@ringfence/server/device/testdata/devices.ts'
import { newInstallationKey } from '@ringfence/server/testing/installation-key.ts'
import { sdkClientOf, shopOrigin } from '@ringfence/server/testing/sdk-client.ts'
import { configurationOf } from '../configuration.ts'
import { assertFailed, commandLine } from '../testing.ts'
import { qualityText } from './quality.ts'

/** A service with one browser that came twice with its key, and once with its storage cleared. */
async function scene(t: TestContext) {
  const { run, serve } = await commandLine(t)
  const { clientId, clientSecret } = JSON.parse((await run(['init', '--tenant', 'shop', '--json'])).stdout)
  const { url } = await serve([], { env: { APP_RATE_PER_SECOND: '1000', APP_RATE_BURST: '1000' } })
  const made = await run(['apps', 'create', '--tenant', 'shop', '--name', 'web', '--origin', shopOrigin, '--json'])
  const app = { id: JSON.parse(made.stdout).appId } as App
  const call = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', clientId, clientSecret }
    return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const report = (dfrId: string) => call(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB' })
  const key = newInstallationKey()
  const visit = async (withKey: boolean) => {
    const client = await sdkClientOf(app, { url }, withKey ? { key } : {})
    const { dfrId } = await client.fingerprint(laptop())
    return { dfrId, ...((await (await report(dfrId)).json()) as DeviceReport) }
  }
  const visits = [await visit(true), await visit(true), await visit(false)]
  const confirm = async (dfrId: string) => {
    const body = { dfrId, deviceType: 'WEB', userId: 'asha' }
    return (await (await call(endpoints.deviceFingerprint.path, body)).json()) as DeviceReport
  }
  await confirm(visits[0]!.dfrId)
  return { run, app, url, report, call, confirm, visits, deviceId: visits[0]!.deviceId }
}

test('lists browsers, shows how each visit of one was recognised, and forgets it with its reports', async (t) => {
  const { run, report, call, visits, deviceId } = await scene(t)
  assert.deepEqual(new Set(visits.map((visit) => visit.deviceId)), new Set([deviceId]))
  const [{ firstSeenAt, ...listed }] = JSON.parse((await run(['devices', 'list', '--json'])).stdout)
  assert.deepEqual([listed.deviceId, listed.installations, listed.keys], [deviceId, 2, 1])
  assert.match(firstSeenAt, /^2\d{3}-.*Z$/)
  assert.match((await run(['devices', 'list'])).stdout, new RegExp(`^DEVICE .*\\n${deviceId}  2 +1 `))

  const shown = JSON.parse((await run(['devices', 'show', deviceId, '--json'])).stdout)
  assert.deepEqual(
    shown.visits.map((visit: { identification: { by: string } }) => visit.identification.by),
    ['similarity', 'key', visits[0]!.newDevice ? shown.visits[2].identification.by : ''],
  )
  assert.deepEqual(
    shown.visits.map((visit: { dfrId: string }) => visit.dfrId),
    visits.map(({ dfrId }) => dfrId).toReversed(),
  )
  const { stdout } = await run(['devices', 'show', deviceId, '--visits', '1'])
  assert.match(stdout, new RegExp(`^Device ${deviceId}: first seen 2.* \\(today\\)\\n\\nINSTALLATION `))
  assert.match(stdout, /^[0-9a-f-]{36} {2}key +first visit/m)
  assert.match(stdout, /^2\d{3}-.* UTC {2}similarity +[01]\.\d{3} /m)

  await call(endpoints.labelReports.path, { labels: [{ dfrId: visits[0]!.dfrId, outcome: 'fraud' }] })
  assert.match(
    (await run(['devices', 'forget', deviceId])).stdout,
    new RegExp(`^Deleted ${deviceId}: 2 installations, 3 visits, 1 label, and its place in 1 account\\.`),
  )
  assert.equal((await report(visits[1]!.dfrId)).status, 404)
  assert.equal((await run(['devices', 'list'])).stdout, 'No browser was seen yet.\n')
  for (const command of ['show', 'forget']) {
    assertFailed(await run(['devices', command, deviceId]), new RegExp(`there is no device ${deviceId} in this tenant`))
  }
  assertFailed(await run(['devices', 'show', 'x']), /must be a UUID in lower case/, 2)
})

test('merges devices of one account that fit like one', async (t) => {
  const { run, app, url, confirm, deviceId } = await scene(t)
  // The first visit of another browser key looks so different that it gets another device; then it looks the same.
  const key = newInstallationKey()
  const client = await sdkClientOf(app, { url }, { key })
  const screen = { width: 1024, height: 768, availWidth: 1024, availHeight: 700, colorDepth: 24 }
  const moved = { timezone: 'Asia/Tokyo', languages: ['ja'], keyboard: 'ja', screen, devicePixelRatio: 3 }
  const software = { fonts: ['Arial'], voices: ['V'], mediaQueries: { pointer: 'coarse' }, audio: 1, math: 'm' }
  const other = await client.fingerprint({ ...laptop(), ...moved, ...software })
  const { deviceId: split } = await confirm(other.dfrId)
  assert.notEqual(split, deviceId)
  const { dfrId } = await client.fingerprint(laptop())
  assert.equal((await confirm(dfrId)).deviceId, split, 'the key still proves it')

  const planned = JSON.parse((await run(['devices', 'heal', '--dry-run', '--json'])).stdout)
  assert.deepEqual(planned.merged, [{ from: split, into: deviceId, because: 'account' }])
  assert.match(
    (await run(['devices', 'heal'])).stdout,
    new RegExp(`^${split}  ${deviceId}  account\\n\\nMerged 1 device\\.`, 'm'),
  )
  assert.equal((await run(['devices', 'heal'])).stdout, 'No device was split.\n')
  const again = await sdkClientOf(app, { url }, { key })
  const { dfrId: after } = await again.fingerprint(laptop())
  assert.equal((await confirm(after)).deviceId, deviceId)
})

test('measures similarity on the browsers with a key', async (t) => {
  const { run } = await scene(t)
  const { stdout } = await run(['devices', 'quality'])
  assert.match(stdout, /^1 installations? with a key, seen in the last 30 days\./)
  assert.match(stdout, /^returns with storage cleared +1 \(100\.0 %\) +0 \(0\.0 %\)/m)
  assert.match(stdout, /^comes for the first time +0 \(0\.0 %\) +1 \(100\.0 %\)/m)
  const { installations, returns } = JSON.parse((await run(['devices', 'quality', '--json'])).stdout)
  assert.deepEqual([installations, returns.ownDevice], [1, 1])
})

test('prints splits, merges and the calibration', () => {
  const text = qualityText(
    {
      installations: 200,
      returns: { ownDevice: 190, newDevice: 8, otherDevice: 2, undecided: 0 },
      firstVisits: { ownDevice: 0, newDevice: 195, otherDevice: 1, undecided: 4 },
      calibration: [
        { from: 0, decisions: 0, said: 0, right: 0 },
        { from: 0.9, decisions: 10, said: 9.3, right: 8 },
        { from: 0.99, decisions: 183, said: 182, right: 182 },
      ],
    },
    7,
  )
  assert.match(text, /^Splits: 8 \(4\.0 %\)\. Merges: 2 \(1\.0 %\) of returns, 1 \(0\.5 %\) of first visits\.$/m)
  assert.match(text, /^from 0\.90 +10 +93\.0 % +80\.0 %$/m)
  assert.doesNotMatch(text, /from 0\.00/)
  assert.match(text, /^Calibration error: 0\.007 /m)
  const nothing = { installations: 0, returns: {}, firstVisits: {}, calibration: [] }
  assert.match(qualityText(nothing as never, 30), /^No browser with a key and enough facts was seen/)
})

/** In the store of the folder. */
async function storeLaptops(folder: string, laptops: number): Promise<void> {
  const masterKeyFile = join(folder, '.config', 'ringfence', 'master.key')
  const { settings } = configurationOf({ data: join(folder, 'ringfence-data') }, { masterKeyFile })
  const database = await openDatabase(settings.dataFolder)
  const keys = await openKeyring(database, settings, {})
  const [tenant] = await listTenants(database)
  const services = { database, tenantKeyring: tenantKeyring(database, keys, systemClock) }
  await storeCompany(tenant!.id, { laptops, now: systemClock.now() }, services)
  await database.close()
}

test('shows what was learned from proven returns; uses, freezes and resets it, with a line in the audit log', async (t) => {
  const { run, folder } = await commandLine(t)
  await run(['init', '--tenant', 'bank'])
  const [use, freeze, reset] = ['--use', '--freeze', '--reset'].map((flag) => ['devices', 'quality', flag])
  assertFailed(
    await run(use!),
    /must not be used: only 0 proven returns count of 100 that are needed\. Nothing was changed/,
  )
  assertFailed(await run(freeze!), /no learned weights are used: use them first, with --use/)
  await storeLaptops(folder, 240)
  const { stdout: before } = await run(['devices', 'quality'])
  assert.match(before, /^Learned weights: not used; --use turns them on\. 120 proven returns/m)
  assert.match(before, /^Judged by the other half, 120 installations:$/m)
  assert.match(before, /^of the release +\d+ .*\n^learned +\d+ /m)
  assert.match((await run(use!)).stdout, /^The learned weights are used from now on.* \(revision 1\)\.$/m)
  assert.match((await run(freeze!)).stdout, /^The learned weights are used as they are\..* \(revision 2\)\.$/m)
  assert.match((await run(reset!)).stdout, /^The weights of the release are used again\..* \(revision 3\)\.$/m)
  const lines = JSON.parse((await run(['audit', 'list', '--json'])).stdout)
  const actions = JSON.stringify(lines).match(/\w+LearnedWeights/g)
  assert.deepEqual(new Set(actions), new Set(['useLearnedWeights', 'freezeLearnedWeights', 'resetLearnedWeights']))
})
