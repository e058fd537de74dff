// What happens when the data folder is full, read-only, or used by two servers?

import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { test } from 'node:test'
import { whyNoTinyDisk } from '../../proof/promises/testbed/failing-disk-tools.ts'
import { commandLine, program, withMounts } from './testing.ts'

const noMounts = await whyNoTinyDisk()

const mounted = (folder: string, script: string) =>
  withMounts(folder, script, { BACKUP_PASSPHRASE: 'a passphrase of the backup' })

test('says what to do on a full disk, and continues when there is room', { skip: noMounts ?? false }, async (t) => {
  const { folder } = await commandLine(t)
  await Promise.all(['full', 'small'].map((name) => mkdir(`${folder}/${name}`)))
  const [refused, code, ...later] = await mounted(
    folder,
    `mount -t tmpfs -o size=300k ringfence full
    ringfence init --data full
    mount -o remount,size=9m full
    ringfence init --data full
    mount -t tmpfs -o size=4k ringfence small
    ringfence backup small/a.age --data full
    ls small
    head -c 20m /dev/zero > full/fill
    ringfence backup a.age --data full
    ls | grep -c a.age || true`,
  )
  assert.match(refused!, /^ringfence: SQLite: .* is full \(13\); make room on the disk of the data folder/)
  assert.equal(code, 'code 1')
  const [retried, noRoom, backupCode, noRoomForCopy, ...left] = later
  assert.equal(retried, 'code 0')
  assert.match(noRoom!, /^ringfence: ENOSPC: .*; make room on that disk/)
  assert.match(noRoomForCopy!, /^ringfence: the backup needs \d MB in full, where 0 MB are free: make room, or move/)
  assert.deepEqual([backupCode, ...left], ['code 1', 'code 1', '0'], 'and no half of a backup is left')
})

test('doctor calls a disk broken before it is full, and serve warns at its start', {
  skip: noMounts ?? false,
}, async (t) => {
  const { folder } = await commandLine(t)
  await mkdir(`${folder}/small`)
  const [made, full, warning, almostFull] = await mounted(
    folder,
    `mount -t tmpfs -o size=60m small small
    ringfence init --data small
    ringfence doctor --data small
    "${process.execPath}" "${program}" serve --port 0 --data small > listens 2> log &
    while ! [ -s listens ] && kill -0 $!; do sleep 0.1; done
    kill $!
    wait $!
    grep -o '0.1 GB free[^"]*' log || cat log
    mount -o remount,size=200m small
    ringfence doctor --data small`,
  )
  assert.deepEqual([made, full, almostFull], ['code 0', 'code 1', 'code 0'])
  assert.equal(warning, '0.1 GB free in small: free some space: a full disk stops every write')
})

test('says what to do in a read-only folder', { skip: noMounts ?? false }, async (t) => {
  const { folder, run: ringfence } = await commandLine(t)
  assert.equal((await ringfence(['init', '--data', 'used'])).code, 0)
  await mkdir(`${folder}/empty`)
  const lines = await mounted(
    folder,
    `for name in used empty; do mount --bind $name $name; mount -o remount,ro,bind $name; done
    ringfence serve --data used --port 0
    ringfence clients list --data used
    ringfence init --data empty
    ringfence backup a.age --data used`,
  )
  for (const [refused, code] of [lines.slice(0, 2), lines.slice(2, 4), lines.slice(4, 6)]) {
    assert.match(
      refused!,
      /^ringfence: Cannot open (used|empty)\/ringfence\.sqlite: .*; choose a folder that you can write/,
    )
    assert.equal(code, 'code 1')
  }
  assert.match(lines[6]!, /^ringfence: EROFS: .*; choose a place that this user can write to/)
})

test('a data folder of another user is no empty one: says which user to be', { skip: noMounts ?? false }, async (t) => {
  const { folder, run: ringfence } = await commandLine(t)
  assert.equal((await ringfence(['init', '--data', 'used'])).code, 0)
  // Root without the capability to read everybody's files is an ordinary user.
  const asOther = 'setpriv --bounding-set -all --inh-caps -all --reuid 65534 --regid 65534 --clear-groups'
  const [refused, code, doctor] = await mounted(
    folder,
    `chmod 755 .; chmod 700 used
    other() { ${asOther} "${process.execPath}" "${program}" "$@" 2>&1; echo "code $?"; }
    other clients list --data used
    other doctor --data used | grep BROKEN`,
  )
  assert.match(
    refused!,
    /^ringfence: Cannot open used\/ringfence\.sqlite: EACCES.*; run this as the user that the server/,
  )
  assert.equal(code, 'code 1')
  assert.match(doctor!, /store +Cannot open used/)
})

test('two servers on one embedded store read what the other wrote', async (t) => {
  const { run: ringfence, serve } = await commandLine(t)
  const client = JSON.parse((await ringfence(['init', '--json'])).stdout) as Record<string, string>
  const [one, other] = await Promise.all([serve([], { create: false }), serve([], { create: false })])
  const post = async (url: string, body: object) => {
    const headers = {
      'content-type': 'application/json',
      clientId: client.clientId!,
      clientSecret: client.clientSecret!,
    }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const identities = [
    { identityType: 'EMAIL', identityValue: 'a@example.com', channel: 'OTP', methods: ['EMAIL'], verified: false },
  ]
  for (const [writer, reader] of [[one, other] as const, [other, one] as const]) {
    const { body } = await post(`${writer.url}/auth/v1/tokens`, { userId: 'customer-4711', identities })
    const validate = () => post(`${reader.url}/auth/v1/validate/token`, { token: body.token })
    assert.equal((await validate()).body.userId, 'customer-4711')
    assert.equal((await post(`${reader.url}/auth/v1/tokens/revoke`, { token: body.token })).status, 200)
    assert.equal((await post(`${writer.url}/auth/v1/validate/token`, { token: body.token })).status, 400)
  }
  assert.equal((await one.stop('SIGTERM')).code, 0)
  assert.equal((await post(`${other.url}/auth/v1/tokens`, { userId: 'customer-4711', identities })).status, 200)
})
