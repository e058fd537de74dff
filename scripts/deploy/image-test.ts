// `npm run test:image`: does the container image run with nothing but its data folder writable, and stop cleanly?
// Builds the release and the image, which takes a minute, so it is not part of `npm test`.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { whyMissing } from '../debian-packages.ts'
import { buildRelease } from '../release/build.ts'
import { root } from '../release/server-bundle.ts'
import { releaseSource } from '../release/source.ts'

const run = promisify(execFile)
const largestBytes = 250e6
const programs = ['mmdebstrap', 'podman', 'buildah', 'runc']
const areThere = () => programs.every((program) => spawnSync(program, ['--version']).status === 0)
const missing = await whyMissing(areThere, ...programs)

test('the image', { skip: missing && `needs ${missing}` }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-image-'))
  // Its own storage, so that nothing stays behind.
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  const podman = async (...words: string[]) => {
    const { stdout } = await run('podman', [...storage, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs', ...words])
    return stdout.trim()
  }
  t.after(async () => {
    await podman('rm', '--all', '--force', '--time', '0').catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  })
  const image = await buildImage(folder, storage, podman)
  const limits = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096']
  const locked = ['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--network', 'host']
  const words = [...limits, ...locked, '--volume', 'data:/var/lib/ringfence', image]

  const reason = await podman('run', '--rm', ...words, '--version').then(
    () => undefined,
    ({ stderr }: { stderr: string }) => {
      // The runtime was not allowed to make a container; anything else is a fault of the image.
      if (!/OCI (?:runtime|permission)|runc create failed|cgroup/.test(stderr)) throw new Error(stderr)
      return stderr.trim()
    },
  )
  if (reason !== undefined) return t.skip(`podman cannot run containers here: ${reason}`)

  const [size = ''] = JSON.parse(await podman('image', 'inspect', '--format', '[{{.Size}}]', image))
  assert.ok(Number(size) <= largestBytes, `${size} bytes`)
  t.diagnostic(`${(Number(size) / 1e6).toFixed(2)} MB`)

  const { clientId, clientSecret } = JSON.parse(await podman('run', '--rm', ...words, 'init', '--json'))
  const [port] = await freePorts(1)
  const options = ['--detach', '--name', 'ringfence', '--env', `PORT=${port}`]
  await podman('run', ...options, ...words, 'serve', '--sandbox', '--no-demo', '--sandbox-port', '0')
  const url = `http://127.0.0.1:${port}`
  await answers(`${url}/ready`, () => podman('logs', 'ringfence'))

  const response = await fetch(`${url}/v1/telecom/sim-swap-check`, {
    method: 'POST',
    headers: { clientId, clientSecret, 'content-type': 'application/json' },
    body: JSON.stringify({ phoneNumber: '61491570110', maxAge: 72 }),
  })
  assert.equal(((await response.json()) as { swapped: boolean }).swapped, true)
  await podman('healthcheck', 'run', 'ringfence')

  const pid = await podman('inspect', '--format', '{{.State.Pid}}', 'ringfence')
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m)
  assert.match(status, /^CapEff:\t0+$/m)
  assert.match(await readFile(`/proc/${pid}/mountinfo`, 'utf8'), /^\d+ \d+ \S+ \S+ \/ ro,/m)

  const stoppedAt = performance.now()
  await podman('kill', '--signal', 'TERM', 'ringfence')
  assert.equal(await podman('wait', 'ringfence'), '0')
  t.diagnostic(`stopped ${(performance.now() - stoppedAt).toFixed(0)} ms after SIGTERM to its first process`)
})

async function buildImage(folder: string, storage: readonly string[], podman: (...words: string[]) => Promise<string>) {
  const source = await releaseSource({ allowDirty: true })
  const name = `ringfence-${source.version}`
  const files = await buildRelease(source)
  await writeFile(join(folder, `${name}.tgz`), files.get(`${name}.tgz`)!)
  await run('tar', ['xzf', `${name}.tgz`], { cwd: folder })
  await run('sh', [join(root, 'deploy/container/debian-base.sh'), 'base.tar'], { cwd: folder })
  await podman('import', join(folder, 'base.tar'), 'localhost/ringfence-base')
  const image = `localhost/ringfence:${source.version}`
  // chroot: no step runs a program, so the build needs no container. docker: the OCI format has no health check.
  const options = ['--isolation', 'chroot', '--format', 'docker', '--layers=false', '--tag', image]
  await run('buildah', [...storage, 'bud', ...options, join(folder, name)], { maxBuffer: 1 << 24 })
  return image
}

async function answers(url: string, log: () => Promise<string>): Promise<void> {
  for (const endsAt = performance.now() + 30_000; ; await pause(50)) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    if (performance.now() > endsAt) assert.fail(`${url} does not answer:\n${await log()}`)
  }
}
