import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readSamples } from '@ringfence/contract'
import { buildNodeClient } from './client.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Another project's folder, with the packed client installed. */
let app: string

const npm = (...words: string[]) => {
  // Under npm this process has settings of the repository, which must not reach the app.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  return run('npm', words, { cwd: app, env })
}

/** This Node and every other Node on the path, by version: the client must also work on older ones. */
async function nodes(): Promise<Map<string, string>> {
  const found = new Map([[process.version, process.execPath]])
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(folder, 'node')
    if (!existsSync(node)) continue
    const { stdout } = await run(node, ['--version'])
    if (Number(/\d+/.exec(stdout)?.[0]) >= 20) found.set(stdout.trim(), node)
  }
  return found
}

const useIt = `
const run = async () => {
  const times = { timeoutMs: 120_000, attemptTimeoutMs: 120_000 }
  const ringfence = new Ringfence({ baseUrl: process.argv[2], clientId: 'client', clientSecret: 'secret', ...times })
  const sim = await ringfence.simSwapCheck({ phoneNumber: '917020141726' })
  const refused = await ringfence.portability({ phoneNumber: '+1' }).catch((error) => error)
  console.log(JSON.stringify([sim, sim.meta.requestId, refused instanceof RingfenceError, refused.code, refused.name]))
}
run()
`
const programs = {
  'an ES module': ['use.mjs', `import { Ringfence, RingfenceError } from '@ringfence/node'${useIt}`],
  CommonJS: ['use.cjs', `const { Ringfence, RingfenceError } = require('@ringfence/node')${useIt}`],
  'a program that uses both, with one RingfenceError': [
    'both.mjs',
    `import { createRequire } from 'node:module'
import { Ringfence } from '@ringfence/node'
const { RingfenceError } = createRequire(import.meta.url)('@ringfence/node')${useIt}`,
  ],
} as const

const consumer = `
import { Ringfence, type RingfenceError, type RingfenceErrorCode } from '@ringfence/node'
const ringfence = new Ringfence({ baseUrl: 'http://localhost', clientId: 'client', clientSecret: 'secret', fetch })
export async function use(signal: AbortSignal): Promise<string> {
  const sim = await ringfence.simSwapCheck({ phoneNumber: '917020141726', maxAge: 72 }, { signal, deadlineMs: 800 })
  const age: number | undefined = sim.meta.ageSeconds
  // @ts-expect-error no result before success was checked
  sim.swapped
  if (!sim.success) {
    // @ts-expect-error no result in a failed check
    sim.swapped
    return sim.error.errorCode
  }
  const swapped: boolean = sim.swapped
  // @ts-expect-error a SIM swap answer has no portability result
  sim.phoneDetail.isPorted
  const port = await ringfence.portability({ phoneNumber: '917020141726' })
  const ported: boolean | undefined = port.success ? port.phoneDetail.isPorted : port.phoneDetail?.isPorted
  const forwarding = await ringfence.callForwardingCheck({ phoneNumber: '917020141726' })
  const type: 'active' | 'inactive' | false = forwarding.success && forwarding.callForwardingType
  return [age, swapped, ported, type].join()
}
export function codeOf(error: RingfenceError): RingfenceErrorCode {
  // @ts-expect-error unknown code
  if (error.code === 'oops') return 'server'
  return error.code
}
// @ts-expect-error clientSecret is missing
new Ringfence({ baseUrl: 'http://localhost', clientId: 'client' })
// @ts-expect-error phoneNumber is missing
ringfence.portability({})
// @ts-expect-error a number in digits is a string
ringfence.portability({ phoneNumber: 917020141726 })
// @ts-expect-error misspelt
ringfence.simSwapCheck({ phoneNumber: '917020141726', maxage: 72 })
`

const installedNodes = await nodes()

describe('the packed Node client', () => {
  before(async () => {
    app = await realpath(await mkdtemp(join(tmpdir(), 'ringfence-app-')))
    const source = join(app, 'source')
    await mkdir(source)
    for (const file of ['package.json', 'README.md', 'LICENSE']) await cp(join(root, 'node', file), join(source, file))
    await buildNodeClient(join(source, 'dist'))
    await writeFile(join(app, 'package.json'), '{"name":"app","private":true}')
    const { stdout } = await npm('pack', '--ignore-scripts', '--silent', './source')
    const cache = join(app, 'empty-cache')
    await npm('install', '--offline', '--no-audit', '--no-fund', '--silent', '--cache', cache, `./${stdout.trim()}`)
  })

  after(() => rm(app, { recursive: true, force: true }))

  for (const [version, node] of installedNodes) {
    for (const [kind, [file, text]] of Object.entries(programs)) {
      test(`works on Node ${version} from ${kind}`, async (t) => {
        const { swapped } = readSamples().SimSwapResult!
        const refused = readSamples().ErrorBody!['invalid-phone-number']
        const server = createServer((request, response) => {
          const ok = request.url === '/v1/telecom/sim-swap-check'
          response.writeHead(ok ? 200 : 400, { 'x-request-id': 'request-1', connection: 'close' })
          response.end(JSON.stringify(ok ? swapped : refused))
        }).listen(0, '127.0.0.1')
        t.after(() => server.close())
        await once(server, 'listening')
        await writeFile(join(app, file), text)
        const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        // The process ends long before the client's time-outs: no timer of a finished call keeps it alive.
        const { stdout, stderr } = await run(node, [file, address], { cwd: app, timeout: 30_000 })
        assert.equal(stderr, '')
        assert.deepEqual(JSON.parse(stdout), [swapped, 'request-1', true, 'invalid_request', 'RingfenceError'])
      })
    }
  }

  test('contains the built client, its licence and readme, and has no dependencies', async () => {
    const installed = join(app, 'node_modules/@ringfence/node')
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    assert.equal(manifest.dependencies, undefined)
    const carried = ['LICENSE', 'README.md', 'dist/index.js', 'dist/index.cjs', 'dist/index.d.ts', 'dist/index.d.cts']
    for (const file of carried) assert.ok(existsSync(join(installed, file)), file)
    assert.equal(existsSync(join(installed, 'src')), false)
    assert.doesNotMatch(await readFile(join(installed, 'dist/index.cjs'), 'utf8'), /require\("(?!node:)/)
  })

  test('has declarations that narrow by success and reject wrong calls, in ESM, CommonJS and the readme', async () => {
    const readme = await readFile(join(root, 'node/README.md'), 'utf8')
    const files = {
      'consumer.mts': consumer,
      'consumer.cts': consumer,
      'readme.mts': /```ts\n([\s\S]*?)```/.exec(readme)![1]!,
      'tsconfig.json': JSON.stringify({
        compilerOptions: { module: 'node20', target: 'es2022', strict: true, noEmit: true, types: ['node'] },
        files: ['consumer.mts', 'consumer.cts', 'readme.mts'],
      }),
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(app, name), text)
    await symlink(join(root, 'node_modules/@types'), join(app, 'node_modules/@types'))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const told = await run(process.execPath, [tsc, '-p', app], { cwd: app }).catch(
      (error: { stdout: string; stderr: string }) => error,
    )
    assert.deepEqual([told.stdout, told.stderr], ['', ''])
  })
})
