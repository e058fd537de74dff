import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgresDatabases } from '../../testing/databases.ts'
import { historyStatement } from './device-history.ts'
import { type InstallationRow, installationInserts, installationUpdate, stages } from './installations.ts'
import { putPhoneId } from './phone-ids.ts'

const bytes = (n: number) => new Uint8Array(16).fill(n)
const row: InstallationRow = {
  id: bytes(1),
  deviceId: bytes(2),
  keyHash: bytes(3),
  fingerprint: bytes(4),
  stage: stages.established,
  bySimilarity: 0,
  confidence: null,
  likelyDeviceId: null,
  likelyConfidence: null,
  firstSeenAt: 1,
  lastSeenAt: 2,
}
const history = {
  deviceHash: bytes(2),
  installationHash: bytes(1),
  soleInstallationHash: null,
  firstAt: 1,
  seen: bytes(5),
}
const visitAt = (at: number) => [
  installationUpdate('shop', { ...row, fingerprint: bytes(at), lastSeenAt: at }, at - 1),
  historyStatement({ ...history, lastAt: at, version: at - 1 }),
  putPhoneId({ tenantId: 'shop', id: bytes(1), deviceId: bytes(2), at }),
]

test('a returning visit changes no index of its installation, history and phone (postgres)', async (t) => {
  const database = await postgresDatabases.open(t)
  const updates = await database.transaction(async (tx) => {
    const first = [...installationInserts('shop', row, 7), ...visitAt(2).slice(1)]
    for (const { sql, params } of [...first, ...visitAt(3), ...visitAt(4)]) await tx.query(sql, params)
    return tx.query(
      `select cast(name as text) as name, cast(pg_stat_get_xact_tuples_updated(to_regclass(name)) as integer) as updated,
              cast(pg_stat_get_xact_tuples_hot_updated(to_regclass(name)) as integer) as "inPlace"
         from (values ('installation'), ('device_history'), ('phone_id')) its (name)`,
    )
  })
  const twice = { updated: 2, inPlace: 2 }
  assert.deepEqual(updates, [
    { name: 'installation', ...twice },
    { name: 'device_history', ...twice },
    { name: 'phone_id', ...twice },
  ])
})
