import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { keyring, masterKey } from './keyring.ts'

async function folder(t: TestContext) {
  const path = await mkdtemp(join(tmpdir(), 'ringfence-keys-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

const ring = keyring(Buffer.alloc(32, 1))

test('opens sealed text only with the keys of its tenant and in its context', () => {
  const wrapped = ring.makeTenantKeys('a')
  const a = ring.openTenantKeys('a', wrapped)
  const b = ring.openTenantKeys('b', ring.makeTenantKeys('b'))
  const sealed = a.seal('917020141726', 'answer')
  assert.equal(a.open(sealed, 'answer'), '917020141726')
  assert.equal(Buffer.from(sealed).includes('917020141726'), false)
  assert.throws(() => a.open(sealed, 'other'))
  assert.throws(() => b.open(sealed, 'answer'))
  assert.throws(() => a.open(sealed.subarray(0, 10), 'answer'))
  for (let bit = 0; bit < sealed.length * 8; bit += 5) {
    const flipped = Uint8Array.from(sealed)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => a.open(flipped, 'answer'), `bit ${bit}`)
  }
})

test('opens secrets of the service only with its master key and in their context, never with keys of a tenant', () => {
  const sealed = ring.service.seal('a private key', 'signing key 1')
  assert.equal(ring.service.open(sealed, 'signing key 1'), 'a private key')
  assert.throws(() => ring.service.open(sealed, 'signing key 2'))
  assert.throws(() => keyring(Buffer.alloc(32, 2)).service.open(sealed, 'signing key 1'))
  assert.throws(() => ring.openTenantKeys('a', ring.makeTenantKeys('a')).open(sealed, 'signing key 1'))
})

test('seals equal texts differently, and hashes equal values alike within a tenant only', () => {
  const a = ring.openTenantKeys('a', ring.makeTenantKeys('a'))
  const b = ring.openTenantKeys('b', ring.makeTenantKeys('b'))
  assert.notDeepEqual(a.seal('x', 'y'), a.seal('x', 'y'))
  assert.deepEqual(a.hash('917020141726'), a.hash('917020141726'))
  assert.notDeepEqual(a.hash('917020141726'), b.hash('917020141726'))
})

test('names the tenant when its keys do not open', () => {
  const wrapped = ring.makeTenantKeys('a')
  assert.throws(
    () => keyring(Buffer.alloc(32, 2)).openTenantKeys('a', wrapped),
    /tenant a cannot be opened: MASTER_KEY/,
  )
  assert.throws(() => ring.openTenantKeys('b', wrapped), /tenant b cannot be opened/)
})

test('creates the master key once, readable by its owner only', async (t) => {
  const path = await folder(t)
  const made = masterKey(path)
  assert.equal(made.length, 32)
  assert.deepEqual(masterKey(path), made)
  assert.equal((await stat(join(path, 'master.key'))).mode & 0o777, 0o600)
  assert.match(await readFile(join(path, 'master.key'), 'utf8'), /^[A-Za-z0-9+/]{43}=\n$/)
})

test('creates one master key when several processes start at the same time', async (t) => {
  const path = join(await folder(t), 'new')
  const program = `import { masterKey } from ${JSON.stringify(new URL('./keyring.ts', import.meta.url))}
console.log('ready')
process.stdin.once('data', () => {
  console.log(Buffer.from(masterKey(${JSON.stringify(path)})).toString('hex'))
  process.exit()
})`
  const children = Array.from({ length: 6 }, () => {
    const { stdin, stdout } = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    return { stdin, lines: createInterface(stdout)[Symbol.asyncIterator]() }
  })
  const nextLines = () => Promise.all(children.map(async ({ lines }) => (await lines.next()).value))
  assert.deepEqual(new Set(await nextLines()), new Set(['ready']))
  for (const { stdin } of children) stdin.write('go')
  const [key = 'none', ...others] = new Set(await nextLines())
  assert.match(key, /^[0-9a-f]{64}$/)
  assert.deepEqual(others, [])
  assert.deepEqual(await readdir(path), ['master.key'])
  assert.equal((await stat(path)).mode & 0o777, 0o700)
})

test('refuses a master key that is too short', async (t) => {
  const path = await folder(t)
  await writeFile(join(path, 'master.key'), 'AAAA\n')
  assert.throws(() => masterKey(path), /master\.key must contain 32 bytes in base64, but contains 3/)
  assert.throws(() => masterKey(path, 'AAAA'), /MASTER_KEY must contain 32 bytes/)
})
