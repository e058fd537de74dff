import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promises } from '../promises/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(root, 'docs/security.md'), 'utf8').replaceAll(/\s+/g, ' ')

/** The texts of all files with this name. */
const textsOf = (name: string) =>
  ['contract', 'server', 'sandbox', 'node', 'cli', 'scripts', 'promises'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => basename(file) === name && !/node_modules|dist\//.test(file))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  )

/** Is this the title of a test, or its beginning where the quotation ends in …? */
function isTitle(quote: string, text: string): boolean {
  const words = quote.replace(/ ?…$/, '')
  return ['test', 'it', 'contract'].some((call) =>
    ["'", '"', '`'].some((mark) => {
      const end = words === quote ? mark : ''
      return text.replaceAll(/\(\s+/g, '(').includes(`${call}(${mark}${words}${end}`)
    }),
  )
}

test('docs/security.md quotes only tests that exist, by file and title', () => {
  const missing: string[] = []
  let [count, file] = [0, '']
  for (const [, name, title] of page.matchAll(/`([\w-]+(?:\.test)?\.ts)`|"([^"]*)"/g)) {
    if (name !== undefined) file = name
    if (title === undefined) continue
    count++
    if (!textsOf(file).some((text) => isTitle(title, text))) missing.push(`${file}: ${title}`)
  }
  assert.ok(count > 50)
  assert.deepEqual(missing, [])
})

test('docs/security.md names only promise programs that exist', () => {
  const named = [...page.matchAll(/`npm run promises -- ([a-z-]+)`/g)].map(([, name]) => name)
  assert.ok(named.length > 5)
  const programs = promises.map(({ name }) => name)
  assert.deepEqual(
    named.filter((name) => !programs.includes(name!)),
    [],
  )
})
