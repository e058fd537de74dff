import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promises } from '../proof/promises/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const text = (file: string) => readFileSync(join(root, file), 'utf8')
const dossiers = readdirSync(join(root, 'docs/compliance'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs/compliance', name))
const pages = ['docs/security.md', ...dossiers]

const folders = [
  'contract',
  'server',
  'sandbox',
  'node',
  'testing',
  'browser',
  'console',
  'cli',
  'scripts',
  'proof/promises',
]
const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/node_modules|dist\//.test(file))
    .map((file) => join(folder, file)),
)

/** Every setting and every code of a reason or error is in one of them. */
const references = readdirSync(join(root, 'docs/reference'))
  .map((name) => text(join('docs/reference', name)))
  .join('\n')

/** Link definitions of a page, as paths from the root: `[people]: ../../server/…`. */
const definitionsOf = (page: string): Map<string, string> =>
  new Map([...text(page).matchAll(/^\[([\w.-]+)\]: (\S+)$/gm)].map(([, label, path]) => [label!, from(page, path!)]))
const from = (page: string, path: string) => (/^https?:/.test(path) ? path : join(dirname(page), path))

interface Quotation {
  /** The files that it may be in: several when the page names a test by its file name alone. */
  readonly files: readonly string[]
  readonly title: string
}

/** The texts in quotation marks that follow a test in the same line. */
function quotationsOf(page: string): Quotation[] {
  const definitions = definitionsOf(page)
  const mentions = /`([\w./-]+\.ts)`|\[([\w.-]+)\](?![(:])|\]\(([^)\s]+)\)|"([^"]*)"/g
  return text(page)
    .split('\n')
    .flatMap((line) => {
      let files: readonly string[] = []
      return [...line.matchAll(mentions)].flatMap(([, code, label, path, title]) => {
        if (title !== undefined) return files.length > 0 ? [{ files, title }] : []
        const tests = testsAt(code ?? definitions.get(label ?? '') ?? from(page, path ?? ''))
        if (tests.length > 0) files = tests
        return []
      })
    })
}

/** The tests at a path from the root, or with this file name. A contract of several tests is one too. */
function testsAt(name: string): string[] {
  if (!/(\.test|-contract)\.ts$/.test(name)) return []
  const found = sources.filter((file) => file === name || basename(file) === name)
  return found.length > 0 ? found : [name]
}

/** Is this the title of a test, or its beginning where the quotation ends in …? */
function isTitle(quote: string, source: string): boolean {
  const words = quote.replace(/ ?…$/, '')
  if (source.includes(`\n  '${words}': async (`)) return true // a row of a contract's table of tests
  return ['test', 'it', 'contract'].some((call) =>
    ["'", '"', '`'].some((mark) => {
      const end = words === quote ? mark : ''
      return source.replaceAll(/\(\s+/g, '(').includes(`${call}(${mark}${words}${end}`)
    }),
  )
}

for (const page of pages) {
  test(`${page} quotes only tests that exist, by file and title`, () => {
    const missing = quotationsOf(page).filter(
      ({ files, title }) => !files.some((file) => existsSync(join(root, file)) && isTitle(title, text(file))),
    )
    assert.deepEqual(
      missing.map(({ files, title }) => `${files[0]}: ${title}`),
      [],
    )
  })

  test(`${page} names only programs, settings, codes and files that exist`, () => {
    const content = text(page)
    const programs = [...content.matchAll(/`npm run promises -- ([a-z-]+)`/g)].map(([, name]) => name)
    const codes = [...content.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(([, name]) => name)
    const paths = [...content.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.[a-z]+)`/g)].map(([, path]) => path!)
    const definitions = definitionsOf(page)
    const labels = [...content.matchAll(/\[([\w.-]+)\](?![(:])/g)].map(([, label]) => label!)
    assert.deepEqual(
      [
        ...programs.filter((name) => !promises.some((promise) => promise.name === name)),
        ...codes.filter((name) => !references.includes(`\`${name}\``)),
        ...[...paths, ...definitions.values()].filter(
          (path) => !/^https?:/.test(path) && !existsSync(join(root, path)),
        ),
        ...(definitions.size > 0 ? labels.filter((label) => !definitions.has(label)) : []),
        ...[...definitions.keys()].filter((label) => !labels.includes(label)),
      ],
      [],
    )
  })
}

test('docs/security.md and docs/compliance/asvs.md quote tests and name programs at all', () => {
  assert.ok(quotationsOf('docs/security.md').length > 10)
  assert.ok(quotationsOf('docs/compliance/asvs.md').length > 200)
  assert.match(text('docs/compliance/asvs.md'), /`npm run promises -- tenants`/)
})

/** The ids of OWASP ASVS 5.0.0 by level. */
const requirements = {
  1: `1.2.1-5 1.3.1-2 1.5.1 2.1.1 2.2.1-2 2.3.1 3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2 5.3.1-2 6.1.1 6.2.1-8 6.3.1-2 6.4.1-2
    7.2.1-4 7.4.1-2 8.1.1 8.2.1-2 8.3.1 9.1.1-3 9.2.1 10.4.1-5 11.3.1-2 11.4.1 12.1.1 12.2.1-2 13.4.1 14.2.1 14.3.1 15.1.1 15.2.1 15.3.1`,
  2: `1.1.1-2 1.2.6-9 1.3.3-11 1.4.1-3 1.5.2 2.1.2-3 2.2.3 2.3.2-4 2.4.1 3.3.2-4 3.4.3-6 3.5.4-5 3.7.1-2 4.1.2-3 4.2.1 4.3.1-2 4.4.2-4
    5.1.1 5.2.3 5.4.1-3 6.1.2-3 6.2.9-12 6.3.3-4 6.4.3-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.3.1-2 7.4.3-5 7.5.1-2 7.6.1-2 8.1.2 8.2.3 8.4.1
    9.2.2-4 10.1.1-2 10.2.1-2 10.3.1-4 10.4.6-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3 11.3.3 11.4.2-4 11.5.1 11.6.1 12.1.2-3
    12.3.1-4 13.1.1 13.2.1-5 13.3.1-2 13.4.2-5 14.1.1-2 14.2.2-4 14.3.2-3 15.1.2-3 15.2.2-3 15.3.2-7 16.1.1 16.2.1-5 16.3.1-4 16.4.1-3
    16.5.1-3 17.1.1 17.2.1-4 17.3.1-2`,
} as const

/** Ids with their level: `1.2.1-3` is 1.2.1, 1.2.2 and 1.2.3. */
const idsOf = (level: 1 | 2): string[] =>
  requirements[level].split(/\s+/).flatMap((range) => {
    const [, section, first, last = first] = /^(\d+\.\d+)\.(\d+)(?:-(\d+))?$/.exec(range)!
    const count = Number(last) - Number(first) + 1
    return Array.from({ length: count }, (_, i) => `${section}.${Number(first) + i} | ${level}`)
  })

const statuses = ['met', 'partly', 'not met', 'n/a']
const rows = [
  ...text('docs/compliance/asvs.md').matchAll(
    /^\| (\d+\.\d+\.\d+ \| [12]) \| [^|]+ \| (met|partly|not met|n\/a) \| (.+) \|$/gm,
  ),
].map(([, id, status, evidence]) => ({
  id: id!,
  chapter: `V${id!.split('.')[0]}`,
  status: status!,
  evidence: evidence!,
}))

test('docs/compliance/asvs.md has one row for each requirement of levels 1 and 2', () => {
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), [...idsOf(1), ...idsOf(2)].toSorted())
})

test('each requirement that is met has evidence, and each other one says what is missing', () => {
  const isEvidence = /\[[\w.-]+\](?!\()|`npm run promises|`[A-Z]+(_[A-Z]+)+`/
  const isExcuse = /\*\*(Missing|Not yet|Deviation|Exception|Yours)/
  const wrong = rows.filter(
    ({ status, evidence }) =>
      (status === 'met' && (!isEvidence.test(evidence) || isExcuse.test(evidence))) ||
      (['partly', 'not met'].includes(status) && !isExcuse.test(evidence) && !/^As \d/.test(evidence)),
  )
  assert.deepEqual(wrong, [])
})

test('the summary of docs/compliance/asvs.md has the numbers of its rows', () => {
  const counts = [...text('docs/compliance/asvs.md').matchAll(/^\| (?:\[(V\d+) .*?|\*\*all (\d+)\*\*) \| (.*) \|$/gm)]
  assert.equal(counts.length, 18)
  for (const [, chapter = 'all', all, numbers = ''] of counts) {
    const inside = rows.filter((row) => all !== undefined || row.chapter === chapter)
    if (all !== undefined) assert.equal(Number(all), inside.length)
    assert.deepEqual(
      numbers.replaceAll('*', '').split(' | ').map(Number),
      statuses.map((status) => inside.filter((row) => row.status === status).length),
      chapter,
    )
  }
})
