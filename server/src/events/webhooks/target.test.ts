// Can a tenant make this server call what is not public? Whatever the URL says, and whatever DNS says later.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nat64Prefixes } from '../../core/address/nat64-prefixes.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { scriptedReceiver, startWebhookService } from '../testing/webhook-service.ts'
import { guardedLookup, type Resolve, readTarget } from './target.ts'

const privateHosts = [
  ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '[::1]', '[::]', '[fe80::1]'],
  ...['[fd00:ec2::254]', '[fc00::1]', '[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]'],
  ...[
    '[2002:7f00:1::]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a00:1::1]',
    '[64:ff9b:1::808:808]',
    '[::ffff:0:7f00:1]',
    '[2001:0:7f00:1::]',
    '[ff02::1]',
  ],
]

test('refuses every IP address that is not public, however it is written', () => {
  for (const host of privateHosts) {
    assert.throws(() => readTarget(`https://${host}/hook`, 'public'), /is not a public IP address/, host)
  }
  for (const host of [
    '93.184.216.34',
    '[2606:2800:220:1:248:1893:25c8:1946]',
    '[64:ff9b::5db8:d822]',
    'hooks.example',
  ]) {
    assert.equal(readTarget(`https://${host}/hook`, 'public').protocol, 'https:')
  }
  assert.equal(readTarget('http://127.0.0.1:80/', 'any').hostname, '127.0.0.1')
})

test('refuses names of a local network when a webhook is added, with and without a root dot', () => {
  for (const host of ['localhost', 'LOCALHOST', 'internal', 'db.internal', 'a.localhost', 'nas.local', 'x.home.arpa']) {
    for (const written of [host, `${host}.`]) {
      assert.throws(() => readTarget(`https://${written}/hook`, 'public'), /name of a local network/, written)
      assert.ok(readTarget(`https://${written}/hook`, 'any'))
    }
  }
  for (const host of ['hooks.example', 'hooks.example.', 'local.example', 'my_hooks.example', 'internal.example.'])
    assert.equal(readTarget(`https://${host}/hook`, 'public').hostname, host)
})

const nat64 = nat64Prefixes({ nat64Prefixes: '2a00:64::/96' })
const looked = (resolve: Resolve) =>
  new Promise((settle) => {
    guardedLookup(resolve, 'public', nat64)('hooks.example', { all: true }, (error, addresses) =>
      settle(error?.message ?? addresses),
    )
  })

test('the socket gets no address when one of them is private, of either family', async () => {
  const fine = { address: '93.184.216.34', family: 4 }
  assert.deepEqual(await looked(async () => [fine]), [fine])
  for (const bad of [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
    { address: '::ffff:169.254.169.254', family: 6 },
    { address: 'fd00::1', family: 6 },
    { address: 'nonsense', family: 4 },
  ]) {
    assert.match(String(await looked(async () => [fine, bad])), /is not public/, bad.address)
  }
  const behindDns64 = { address: '64:ff9b::5db8:d822', family: 6 }
  assert.deepEqual(await looked(async () => [behindDns64]), [behindDns64])
  for (const address of ['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '2002:7f00:1::', '2a00:64::a00:1'])
    assert.match(String(await looked(async () => [behindDns64, { address, family: 6 }])), /is not public/, address)
  assert.match(String(await looked(async () => [])), /has no IP address/)
})

test('a name that resolves to a public address when it is added, and to a private one later, gets no connection', async (t) => {
  const resolved: string[] = []
  const resolve: Resolve = async (hostname) => {
    resolved.push(hostname)
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const service = await startWebhookService(t, await sqliteDatabases.open(t), {
    settings: { webhookTargets: 'public' },
    resolve,
  })
  const inside = await scriptedReceiver(t)
  const port = new URL(inside.url).port
  const { tenantId } = service
  const { id } = await service.webhooks.add(tenantId, { url: `https://rebind.example:${port}/hook`, types: ['*'] })
  await service.happen(1)
  await until(async () => (await service.webhooks.attempts(tenantId, id, 1)).length === 1)
  const [attempt] = await service.webhooks.attempts(tenantId, id, 1)
  assert.deepEqual(
    [attempt?.result, attempt?.answer],
    ['target', 'rebind.example resolves to 127.0.0.1, which is not public'],
  )
  assert.ok(resolved.length > 0)
  assert.equal(inside.connections(), 0)
})
