import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { everyEndpoint, IosFacts, WebFacts } from '@ringfence/contract'
import { surface } from '@ringfence/server/features.ts'
import { connectorKinds } from '@ringfence/server/telecom/connectors/index.ts'
import { portabilitySourceKinds } from '@ringfence/server/telecom/portability-sources/index.ts'
import { failures, readSamples } from '../contract/src/index.ts'
import { stalePages } from './generate-docs.ts'
import { importCircles } from './structure/import-circles.ts'
import { importsAgainstOrder, importsOfServer } from './structure.ts'
import { thrownFailures } from './thrown-failures.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = [
  'contract',
  'server',
  'sandbox',
  'node',
  'testing',
  'browser',
  'react-native',
  'cli',
  'proof',
  'scripts',
  'examples',
]
// Not through node_modules: the phone tests install packages, and what was there would be gone.
const sources = globSync(`{${folders}}/**/*.ts`, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).toSorted()
const swiftSources = readdirSync(join(root, 'ios/Sources'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.swift'))
  .map((file) => join('ios/Sources', file))
const text = (file: string) => readFileSync(join(root, file), 'utf8')

test('has a row of the surface for each endpoint of the contract, and no other rows with a body', () => {
  const rows = surface.filter(({ kind }) => kind === 'endpoint').map(({ path }) => path)
  assert.deepEqual(rows.toSorted(), everyEndpoint.map(({ path }) => path).toSorted())
})

test('registers every connector and every remote portability source', () => {
  const registered = new Set([...connectorKinds, ...portabilitySourceKinds].map(({ type }) => type))
  const kinds = sources
    .filter((file) => /(connectors|portability-sources)\//.test(file) && !file.endsWith('.test.ts'))
    .filter((file) => /^ {2}type: '/m.test(text(file)))
  assert.ok(kinds.length > 0)
  for (const file of kinds) {
    const type = /^ {2}type: '([^']+)'/m.exec(text(file))?.[1]
    assert.ok(type && registered.has(type), `${file} defines the kind ${type}, which no index.ts lists`)
  }
})

test('exports each fact of the contract once from browser/src/facts, and the collector reads it', () => {
  const facts = Object.keys(WebFacts.properties).toSorted()
  const files = sources.filter((file) => /^browser\/src\/facts\/(?!index).*(?<!\.test)\.ts$/.test(file))
  const exported = files.flatMap((file) =>
    [...text(file).matchAll(/^export (?:const|(?:async )?function) (\w+)/gm)].map(([, name]) => name),
  )
  assert.deepEqual(exported.toSorted(), facts)
  const listed = text('browser/src/facts/index.ts').split('\n/** ')
  const read = (fact: string) => listed.slice(1).some((list) => new RegExp(`[{ ]${fact}[, ]`).test(list))
  assert.deepEqual(
    facts.filter((fact) => !read(fact)),
    [],
  )
})

test('has one probe for each iOS fact, with its name', () => {
  const probes = swiftSources
    .flatMap((file) => [...text(file).matchAll(/\bProbe\("(\w+)"[),]/g)])
    .map(([, name]) => name)
    .filter((name) => name !== undefined)
  // App Attest needs the challenge of the call, so it is not a probe.
  assert.deepEqual([...probes, 'appAttest'].toSorted(), Object.keys(IosFacts.properties).toSorted())
})

test('opens each Swift file with one line that says what it answers, and keeps it within 250 lines', () => {
  for (const file of swiftSources) {
    assert.match(text(file), /^\/\/ \S/, file)
    assert.ok(text(file).split('\n').length <= 251, file)
  }
})

test('opens each file with one line that says what it answers', () => {
  for (const file of sources.filter((name) => !name.endsWith('.test.ts') && basename(name) !== 'index.ts')) {
    assert.match(text(file), /^(#!.*\n)?\/\/ \S/, file)
  }
})

test('has no file called utils, helpers or common', () => {
  assert.deepEqual(
    sources.filter((file) => /(^|[/-])(utils?|helpers?|common|misc)([-.]|$)/.test(file)),
    [],
  )
})

test('waits in browsers for what a page does, and not for a time or a number of tries', () => {
  const inBrowsers = globSync('{console,scripts}/**/*.browser.test.ts', { cwd: root, exclude: ['**/node_modules'] })
  assert.ok(inBrowsers.length > 0)
  assert.deepEqual(
    inBrowsers.filter((file) => /\bwaitForTimeout\b|\btries < \d|\(resolve, \d/.test(text(file))),
    [],
  )
})

test('waits with until() for what happens in the background: t.waitFor gives up after a second', () => {
  const tests = globSync('**/*.test.ts', { cwd: root, exclude: ['**/node_modules', '**/dist'] })
  assert.ok(tests.length > 0)
  assert.deepEqual(
    tests.filter((file) => /\bt\.waitFor\(/.test(text(file))),
    [],
  )
})

test('listens in tests on port 0 or on a port of freePorts(): one that was free a moment ago may be a connection by now', () => {
  const tests = sources.filter((file) => isForTests(file) || file.startsWith('proof/'))
  const chosen = /\.(listen|bind)\((Number\(|\w*port\b|[1-9])/i
  assert.deepEqual(
    tests.filter((file) => chosen.test(text(file)) && !text(file).includes('freePorts(')),
    [],
  )
})

test('reads bodies in servers of tests with bodyOf(): a request that is cut off at the end of a test fails nothing', () => {
  const tests = sources.filter((file) => isForTests(file) || file.startsWith('proof/'))
  const otherwise =
    /for await \(const \w+ of (request|incoming)\b|\b(text|json|buffer)\((request|incoming)\)|(request|incoming)\.toArray\(/
  assert.deepEqual(
    tests.filter((file) => otherwise.test(text(file)) && !file.endsWith('testing/body-of.ts')),
    [],
  )
})

test('keeps source files within 350 lines, unless they are generated', () => {
  const written = sources.filter((file) => !file.endsWith('.test.ts') && !text(file).startsWith('// Generated'))
  const long = written.filter((file) => text(file).split('\n').length > 351)
  assert.deepEqual(long, [])
})

test('returns each failure somewhere: the compiler finds a place that names it', () => {
  const ofFields = surface.flatMap((row) => (row.kind === 'endpoint' ? [...row.fieldFailures] : []))
  const thrown = thrownFailures(root).union(new Set(ofFields))
  const unused = Object.keys(failures).filter((name) => !thrown.has(name))
  assert.deepEqual(unused, [])
})

test('has at most ten files in the root of server/src, without tests', () => {
  const files = sources.filter((file) => /^server\/src\/[^/]+$/.test(file) && !file.endsWith('.test.ts'))
  assert.ok(files.length > 0 && files.length <= 10, files.join(', '))
})

test('exports no value that no other file names, except schemas of samples', () => {
  const files = [...sources, ...globSync('console/**/*.{ts,tsx}', { cwd: root, exclude: ['**/{node_modules,dist}'] })]
  const texts = files.map((file) => ({ file, source: text(file) }))
  const named = texts.flatMap(({ source }) => [...new Set(source.match(/[\w$]+/g))])
  const filesWith = Map.groupBy([...named, ...Object.keys(readSamples())], (name) => name)
  const unused = texts
    .filter(({ file }) => basename(file) !== 'index.ts')
    .flatMap(({ file, source }) =>
      [...source.matchAll(/^export (?:async )?(?:const|let|class|function\*?) ([\w$]+)/gm)]
        .filter(([, name]) => filesWith.get(name!)?.length === 1)
        .map(([, name]) => `${file}: ${name}`),
    )
  assert.deepEqual(unused, [])
})

test('has no import circles, not even of types', () => {
  assert.deepEqual(importCircles(root, sources), [])
})

test('has no import against the order of rooms', () => {
  assert.deepEqual(
    importsAgainstOrder(importsOfServer()).map(({ from, to }) => `${from} → ${to}`),
    [],
  )
})

test('the rule language, requests and responses use nothing of the room around them', () => {
  const apart = /^(server\/src\/(?:rules|http)\/)(?:language|request|response)\//
  const imports = importsOfServer().filter(({ from }) => apart.test(from))
  assert.ok(imports.length > 0)
  assert.deepEqual(
    imports
      .filter(({ from, to }) => to.startsWith(apart.exec(from)![1]!) && apart.exec(to)?.[0] !== apart.exec(from)![0])
      .map(({ from, to }) => `${from} → ${to}`),
    [],
  )
})

test('declares each package that a workspace imports in the package.json of that workspace', () => {
  const undeclared = ['contract', 'server', 'sandbox', 'cli'].flatMap((workspace) => {
    const { name, dependencies } = JSON.parse(text(`${workspace}/package.json`))
    const declared = new Set([name, ...Object.keys(dependencies)])
    const files = sources.filter((file) => file.startsWith(`${workspace}/src/`) && !isForTests(file))
    return files.flatMap((file) =>
      [...text(file).matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s)?'(?!node:|\.)((?:@[^'/]+\/)?[^'/]+)/gm)]
        .map(([, imported]) => imported!)
        .filter((imported) => !declared.has(imported))
        .map((imported) => `${file} → ${imported}`),
    )
  })
  assert.deepEqual(undeclared, [])
})

const isForTests = (file: string): boolean => /\.test\.ts$|\/(testing|testdata)(\/|\.ts$)/.test(file)

test('has at most 25 files of code in a folder, its doors among them, without tests', () => {
  const ofConsole = readdirSync(join(root, 'console'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/node_modules|dist\//.test(file))
    .map((file) => join('console', file))
  assert.ok(ofConsole.length > 0)
  const inside = Map.groupBy(
    [...sources, ...ofConsole].filter((file) => !/\.test\.tsx?$/.test(file)),
    dirname,
  )
  const crowded = [...inside].filter(([, files]) => files.length > 25)
  assert.deepEqual(
    crowded.map(([folder, { length }]) => `${folder}: ${length}`),
    [],
  )
})

test('only http/ of the server knows HTTP: no other folder reads a request or writes a response', () => {
  const isOfServer = /\b(?:createServer|IncomingMessage|ServerResponse)\b[^}]*\} from 'node:http'|from 'fastify'/
  const serving = sources.filter(
    (file) => file.startsWith('server/src/') && !isForTests(file) && isOfServer.test(text(file)),
  )
  assert.deepEqual(
    serving.filter((file) => !file.startsWith('server/src/http/')),
    [],
  )
})

test('the sign-in core takes a SignInContext: only sdk-calls.ts reads an SDK call, and only the gate and SILENT call telecom', () => {
  const core = sources.filter(
    (file) => /^server\/src\/sign-in\/authentication\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'),
  )
  const importing = (pattern: RegExp) => core.filter((file) => pattern.test(text(file)))
  assert.deepEqual(importing(/\b(SessionCall|AppCall|Call)\b[^}]*\} from '[./]+\/(core|apps|clients)\/call\.ts'/), [
    'server/src/sign-in/authentication/sdk-calls.ts',
  ])
  assert.deepEqual(importing(/from '[./]+\/telecom\/(?!(room|index)\.ts)/), [
    'server/src/sign-in/authentication/gate.ts',
    'server/src/sign-in/authentication/silent/silent-callback.ts',
    'server/src/sign-in/authentication/silent/start-silently.ts',
  ])
})

test('keeps the generated reference up to date', () => {
  assert.deepEqual(stalePages(), [], 'run npm run docs')
})

const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...[
    'node/README.md',
    'testing/README.md',
    'browser/README.md',
    'react-native/README.md',
    'ios/README.md',
    'android/README.md',
    'examples/ios-login/README.md',
    'examples/android-login/README.md',
  ],
  'examples/node-login/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
]

const guides = pages.filter((page) => page.startsWith('docs/guides/'))

test('has no broken links between documents, and none to a missing heading', () => {
  const missing = pages.flatMap((page) =>
    [...text(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .map(([, path, anchor]) => ({ target: path ? join(dirname(page), path) : page, anchor }))
      .filter(({ target, anchor }) => !exists(target) || (anchor !== undefined && !anchorsOf(target).has(anchor)))
      .map(({ target, anchor }) => `${page} → ${target}${anchor ? `#${anchor}` : ''}`),
  )
  assert.deepEqual(missing, [])
})

test('has a link to every guide in the README', () => {
  const readme = text('README.md')
  assert.deepEqual(
    guides.filter((page) => !readme.includes(`](${page})`)),
    [],
  )
})

// A guide is steps towards a goal. Tables of members, settings and codes are pages of docs/reference.
test('has short guides: 1,200 words each, 35,000 together, and a backend to paste in the first one', () => {
  const wordsOf = (page: string) => text(page).split(/\s+/).filter(Boolean).length
  const mostOf = (page: string) => (page.endsWith('/integrate.md') ? 2500 : 1200)
  const words = guides.map((page) => ({ page, words: wordsOf(page) }))
  assert.deepEqual(
    words.filter(({ page, words }) => words > mostOf(page)),
    [],
  )
  const all = words.reduce((sum, { words }) => sum + words, 0)
  assert.ok(all <= 35_000, `all guides have ${all} words`)
})

/** The anchors of a page's headings, as GitHub derives them. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...text(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )

function exists(path: string): boolean {
  try {
    readdirSync(join(root, path))
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR'
  }
}
