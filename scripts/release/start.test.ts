import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { commandLine } from '../../cli/src/testing.ts'
import { builtRelease, source } from './testing.ts'

/** Packages that a service uses only with upstreams, a channel, the sandbox, PostgreSQL, or a person at the terminal. */
const onDemand = ['fastify', 'iconv-lite', 'pg', 'pino-pretty', 'smpp', 'undici']

/** Appends to a file which modules were loaded: files, and at the end those of Node. */
const recorder = (file: string) => `
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(file)}, url + '\\n'); return next(url, context) } })
process.on('exit', () => appendFileSync(${JSON.stringify(file)}, process.moduleLoadList.join('\\n') + '\\n'))
`

test('the released service starts without the code that only some services use', async (t) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ringfence-start-')))
  t.after(() => rm(folder, { recursive: true }))
  const name = `ringfence-${source.version}`
  await writeFile(join(folder, 'release.tgz'), (await builtRelease()).get(`${name}.tgz`)!)
  await promisify(execFile)('tar', ['xzf', 'release.tgz'], { cwd: folder })
  const home = join(folder, name)
  const record = join(folder, 'loaded.txt')
  await writeFile(join(folder, 'recorder.mjs'), recorder(record))

  const { serve } = await commandLine(t, join(home, 'bin/ringfence'))
  const service = await serve([], { env: { NODE_OPTIONS: `--import ${join(folder, 'recorder.mjs')}` } })
  assert.equal((await fetch(`${service.url}/health`)).status, 200)
  assert.equal((await service.stop('SIGTERM')).code, 0)

  const loaded = (await readFile(record, 'utf8')).split('\n')
  const isLoaded = (file: string) => loaded.some((url) => basename(url) === file)
  const packages = { loaded: new Set<string>(), waiting: new Set<string>() }
  for (const file of await readdir(join(home, 'dist'))) {
    const text = await readFile(join(home, 'dist', file), 'utf8')
    for (const [, found = ''] of text.matchAll(/"node_modules\/((?:@[^/"]+\/)?[^/"]+)\//g))
      packages[isLoaded(file) ? 'loaded' : 'waiting'].add(found)
  }
  assert.ok(packages.loaded.has('pino'), 'the record is complete')
  assert.deepEqual(
    onDemand.filter((name) => packages.loaded.has(name) || !packages.waiting.has(name)),
    [],
  )
  assert.ok(loaded.includes('NativeModule http'), 'the record contains the modules of Node')
  assert.ok(!loaded.includes('NativeModule internal/deps/undici/undici'), 'fetch of Node is not loaded')

  const readable = await serve(['--log-format', 'pretty'])
  const { code, stderr } = await readable.stop('SIGTERM')
  assert.equal(code, 0)
  assert.match(stderr, /INFO.*listening/, 'and loads it when it is used')
})
