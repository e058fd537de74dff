import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from '../../../testing/at-end.ts'
import { keyFromCommand, wrapCommand } from './command.ts'
import { keyFromEnvironment } from './env.ts'
import { keyFile } from './file.ts'
import { checkProvider } from './provider-contract.ts'
import { masterKeyProviders } from './providers.ts'

const newKey = () => randomBytes(32).toString('base64')

async function folder(t: TestContext) {
  const path = await mkdtemp(join(tmpdir(), 'ringfence-keys-'))
  atEnd(t, () => rm(path, { recursive: true }))
  return path
}

async function fileProvider(t: TestContext) {
  const provider = keyFile(join(await folder(t), 'etc', 'master.key'))
  await provider.writer!.create()
  return provider
}

/** A KMS in a file: `openssl` has the key, and this process does not. */
async function kmsProvider(t: TestContext) {
  const path = await folder(t)
  await writeFile(join(path, 'kms'), kms(path), { mode: 0o755 })
  await writeFile(join(path, 'key'), randomBytes(32).toString('hex'))
  return wrapCommand(join(path, 'kms'))
}

/** AES-256-CBC and an HMAC, in the two lines that a shell needs. */
const kms = (path: string) => `#!/bin/sh
set -e
key=$(cat ${path}/key)
mac() { openssl dgst -sha256 -hmac "$key" -binary | base64; }
case $1 in
wrap) text=$(base64 -d | openssl enc -aes-256-cbc -K "$key" -iv 00000000000000000000000000000000 | base64 | tr -d '\\n')
  printf '%s %s' "$text" "$(printf %s "$text" | mac)" | base64 ;;
unwrap) read -r text mac <<END
$(base64 -d)
END
  [ "$mac" = "$(printf %s "$text" | mac)" ] || { echo 'InvalidCiphertext: altered' >&2; exit 3; }
  printf %s "$text" | base64 -d | openssl enc -d -aes-256-cbc -K "$key" -iv 00000000000000000000000000000000 | base64 ;;
esac
`

const environment = () => keyFromEnvironment(newKey())
checkProvider('env', environment, environment)
checkProvider('file', fileProvider, fileProvider)
checkProvider(
  'command',
  () => keyFromCommand(`echo ${newKey()}`),
  () => keyFromCommand(`echo ${newKey()}`),
)
checkProvider('wrap command', kmsProvider, environment)

test('a file is created once, readable by its owner only', async (t) => {
  const path = join(await folder(t), 'new', 'master.key')
  await Promise.all([keyFile(path).writer!.create(), keyFile(path).writer!.create()])
  const before = await keyFile(path).keys()
  await keyFile(path).writer!.create()
  assert.deepEqual(await keyFile(path).keys(), before)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal((await stat(join(path, '..'))).mode & 0o777, 0o700)
  assert.match(await readFile(path, 'utf8'), /^[A-Za-z0-9+/]{43}=\n$/)
  assert.deepEqual(await readdir(join(path, '..')), ['master.key'])
})

test('a file gets a new key before the previous one, which then moves to a file beside it', async (t) => {
  const path = join(await folder(t), 'master.key')
  const provider = keyFile(path)
  await provider.writer!.create()
  const [first] = await provider.keys()
  const wrapped = await provider.wrap(new Uint8Array(32))
  assert.equal(await provider.writer!.retire(wrapped.by), undefined)
  await provider.writer!.add()
  const [second, previous] = await provider.keys()
  assert.deepEqual(previous, first)
  assert.ok(await provider.unwrap(wrapped))
  assert.equal(await provider.writer!.retire('another'), undefined)
  const beside = await provider.writer!.retire((await provider.newest())!)
  assert.equal(beside, `${path}.previous-${wrapped.by}`)
  assert.deepEqual(await provider.keys(), [second])
  assert.ok(await provider.unwrap(wrapped), 'the file beside it still opens what its key wrapped')
  assert.deepEqual(await keyFile(beside!).keys(), [first])
  assert.equal((await stat(beside!)).mode & 0o777, 0o600)
})

test('a rotation by root leaves both files to the user of the service', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can give a file away')
  const path = join(await folder(t), 'master.key')
  const provider = keyFile(path)
  await provider.writer!.create()
  await chown(path, 65534, 65534)
  await chmod(path, 0o400)
  await provider.writer!.add()
  const beside = await provider.writer!.retire((await provider.newest())!)
  assert.equal((await stat(`${path}.lock`)).uid, 65534)
  for (const file of [path, beside!]) {
    const { uid, gid, mode } = await stat(file)
    assert.deepEqual([uid, gid, mode & 0o777], [65534, 65534, 0o400], file)
  }
})

test('of several rotations of one file at the same time, none loses the key of another', async (t) => {
  const path = join(await folder(t), 'master.key')
  await keyFile(path).writer!.create()
  const code = `import { keyFile } from '${new URL('./file.ts', import.meta.url)}'
    const { writer, newest } = keyFile(process.argv[1])
    for (let i = 0; i < 10; i++) {
      await writer.add()
      console.log(await newest())
      if (i % 5 === 4) await writer.retire(await newest())
    }`
  const rotate = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code, path])
  const rotated = await Promise.all(Array.from({ length: 4 }, rotate))
  const ids = rotated.flatMap(({ stdout }) => stdout.trim().split('\n'))
  assert.equal(ids.length, 40)
  for (const id of ids) assert.ok(await keyFile(path).find(id), `${id} is lost`)
})

test('refuses a file that other users can read, and one without a whole key', async (t) => {
  const path = join(await folder(t), 'master.key')
  await writeFile(path, `${newKey()}\n`, { mode: 0o644 })
  await assert.rejects(keyFile(path).newest(), /mode 0644, so other users can read the master key: run chmod 600/)
  await chmod(path, 0o600)
  assert.ok(await keyFile(path).newest())
  await chmod(path, 0o640)
  if (process.getuid?.() === 0) {
    assert.ok(await keyFile(path).newest(), 'Kubernetes and systemd hand over files of root that a group may read')
    await chown(path, 65534, 65534)
  }
  await assert.rejects(keyFile(path).newest(), /mode 0640, so other users can read the master key/)
  await chmod(path, 0o600)
  await writeFile(path, 'AAAA\n')
  await assert.rejects(keyFile(path).newest(), /master\.key must contain 32 bytes in base64, but contains 3/)
  await writeFile(path, '\n')
  await assert.rejects(keyFile(path).newest(), /master\.key is empty/)
  assert.throws(() => keyFromEnvironment('AAAA'), /MASTER_KEY must contain 32 bytes/)
})

test('says what to do when the file cannot be written', async (t) => {
  const path = join(await folder(t), 'file')
  await writeFile(path, '')
  await assert.rejects(keyFile(join(path, 'master.key')).writer!.create(), /cannot write .* MASTER_KEY_FILE/)
})

test('a command that fails, prints too much, or prints no key gives a clear error without its output', async () => {
  const rejects = (command: string, message: RegExp) => assert.rejects(keyFromCommand(command).newest(), message)
  await rejects(
    'echo secret; echo AccessDenied: no >&2; exit 7',
    /^Error: MASTER_KEY_COMMAND failed: exit code 7: AccessDenied: no$/,
  )
  await rejects('yes', /more than 65536 bytes/)
  await rejects('echo', /the output of MASTER_KEY_COMMAND is empty/)
  await rejects('ringfence-no-such-program', /exit code 127/)
  const wraps = (command: string) => wrapCommand(command).wrap(new Uint8Array(32))
  await assert.rejects(wraps("cat >/dev/null; echo '!' #"), /MASTER_KEY_WRAP_COMMAND wrap did not print base64/)
  await assert.rejects(
    wraps('cat >/dev/null; echo AAAA #'),
    /unwrap did not return what MASTER_KEY_WRAP_COMMAND wrap was given/,
  )
})

test('ends a command that does not answer, with what it started', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const mark = `${29_000 + Math.floor(Math.random() * 900)}.5`
  const answer = keyFromCommand(`sleep ${mark} & wait`).newest()
  answer.catch(() => undefined)
  t.mock.timers.tick(10_000)
  await assert.rejects(answer, /no answer after 10 seconds/)
  while (await isRunning(`sleep ${mark}`)) await new Promise(setImmediate)
})

const isRunning = (command: string) =>
  promisify(execFile)('pgrep', ['-fx', command]).then(
    () => true,
    () => false,
  )

test('the first provider that is configured wraps; a file in the data folder can still open', async (t) => {
  const path = await folder(t)
  const settings = { dataFolder: join(path, 'data') }
  const names = (more = {}, env = {}) => masterKeyProviders({ ...settings, ...more }, env).map(({ name }) => name)
  assert.deepEqual(names({}, { HOME: path }), [join(path, '.config/ringfence/master.key')])
  assert.deepEqual(names({}, { HOME: path, XDG_CONFIG_HOME: '/x' }), ['/x/ringfence/master.key'])
  await writeFile(join(path, 'master.key'), `${newKey()}\n`, { mode: 0o600 })
  assert.deepEqual(names({}, { HOME: '/nowhere', CREDENTIALS_DIRECTORY: path }), [join(path, 'master.key')])
  await mkdir(settings.dataFolder)
  await writeFile(join(settings.dataFolder, 'master.key'), `${newKey()}\n`, { mode: 0o600 })
  assert.deepEqual(names({}, { HOME: path }), [join(path, 'data/master.key')])
  const all = { masterKeyWrapCommand: 'w', masterKeyCommand: 'c', masterKey: newKey(), masterKeyFile: '/f' }
  assert.deepEqual(names(all), [
    'MASTER_KEY_WRAP_COMMAND',
    'MASTER_KEY_COMMAND',
    'MASTER_KEY',
    '/f',
    join(path, 'data/master.key'),
  ])
})
