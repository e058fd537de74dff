import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AndroidFacts, WebFacts } from '@ringfence/contract'
import { Settings } from '@ringfence/server/core/config/settings.ts'
import { readMigrations } from '@ringfence/server/core/storage/migrate.ts'
import { runCases } from '@ringfence/server/rules/cases.ts'
import { readRuleFile } from '@ringfence/server/rules/rule-file.ts'

const folder = fileURLToPath(new URL('../docs/compliance', import.meta.url))
const page = (name: string) => readFileSync(join(folder, name), 'utf8')
const record = page('gdpr-record.md')

/** The words in backticks of a text. */
const wordsIn = (text: string) => new Set([...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!))

async function columnsOfTables(): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>()
  const sql = (await readMigrations()).map((migration) => migration.sql.replaceAll(/--.*/g, '')).join('\n')
  for (const [, table, body] of sql.matchAll(/create table (\w+) \(\n(.*?)\n\)/gs)) {
    const columns = [...body!.matchAll(/^ {2}(\w+) (?:text|bytea|bigint|smallint|integer|double precision)/gm)]
    tables.set(
      table!,
      columns.map(([, column]) => column!),
    )
  }
  for (const [, table, column] of sql.matchAll(/alter table (\w+) add column (\w+)/g)) tables.get(table!)!.push(column!)
  return tables
}

test('docs/compliance/gdpr-record.md has a row for each table of the store, with every column', async () => {
  const rows = record.split('\n').filter((line) => line.startsWith('| `'))
  const missing: string[] = []
  const tables = await columnsOfTables()
  assert.ok(tables.size > 40)
  for (const [table, columns] of tables) {
    const row = rows.find((line) => wordsIn(line.split('|')[1]!).has(table))
    if (!row) missing.push(table)
    else missing.push(...columns.filter((column) => !wordsIn(row).has(column)).map((column) => `${table}.${column}`))
  }
  assert.deepEqual(missing, [])
})

test('docs/compliance/gdpr-record.md says the default of each retention setting', () => {
  const rows = [...record.matchAll(/^\| `([A-Z_]+)` \| (?:`(\w+)`|(\d+)(?= \||,))/gm)]
  const defaults = new Map(
    Object.values(Settings.properties).map((setting) => {
      const { env, default: value } = setting as unknown as { env: string; default?: unknown }
      return [env, String(value)]
    }),
  )
  assert.ok(rows.length >= 5)
  for (const [, name, word, number] of rows) assert.equal(word ?? number, defaults.get(name!), name!)
})

test('the answers for Google Play name each fact that holds names of installed apps, so that its declaration can be left out', () => {
  const named = wordsIn(page('app-stores.md').split('## Google Play')[1]!)
  const facts = Object.entries(AndroidFacts.properties).filter(([, schema]) =>
    /\bpackages?\b|\binstalled apps\b/i.test(JSON.stringify(schema)),
  )
  assert.ok(facts.length >= 4)
  const missing = facts.map(([name]) => name).filter((name) => !named.has(name))
  assert.deepEqual(missing, [])
})

test('docs/compliance/eprivacy.md names each fact that the browser SDK reads', () => {
  const named = wordsIn(page('eprivacy.md').replaceAll(/```.*?```/gs, ''))
  assert.deepEqual(
    Object.keys(WebFacts.properties).filter((fact) => !named.has(fact)),
    [],
  )
})

test('docs/compliance/masvs.md has a row for each control on each system, and counts them right', () => {
  const controls = { STORAGE: 2, CRYPTO: 2, AUTH: 3, NETWORK: 2, PLATFORM: 3, CODE: 4, RESILIENCE: 4, PRIVACY: 4 }
  const ids = Object.entries(controls).flatMap(([name, count]) =>
    Array.from({ length: count }, (_, index) => `${name}-${index + 1}`),
  )
  const statuses = ['met', 'partly', 'not met', 'yours']
  for (const system of ['iOS', 'Android']) {
    const [, section = ''] = page('masvs.md').split(new RegExp(`^## ${system}$`, 'm'))
    const [table = ''] = section.split(/^## /m)
    const rows = [...table.matchAll(/^\| ([A-Z]+-\d) \| (?:[^|]+ \| )?([^|]+) \| ([^|]+) \|$/gm)]
    assert.deepEqual(
      rows.map(([, id]) => id),
      ids,
    )
    const counts = statuses.map((status) => rows.filter(([, , given]) => given === status).length)
    assert.ok(page('masvs.md').includes(`| ${system} | ${counts.join(' | ')} |`), `${system}: ${counts}`)
    for (const [, id, status, evidence] of rows) assert.equal(status === 'partly', evidence!.includes('Missing:'), id!)
  }
})

test('docs/compliance/app-stores.md declares the data types of the privacy manifests', () => {
  const manifests = ['DeviceIntelligence', 'HeadlessAuthentication'].map((product) =>
    readFileSync(join(folder, '../../ios/Sources', product, 'PrivacyInfo.xcprivacy'), 'utf8'),
  )
  const types = [...manifests.join().matchAll(/<string>NSPrivacyCollectedDataType(?!Purpose)(\w+)</g)]
  const [answers = ''] = page('app-stores.md').split('## Google Play')
  const rows = [...answers.matchAll(/^\| [^|]+ › ([^|]+) \|/gm)]
  assert.deepEqual(new Set(rows.map(([, name]) => name!.replaceAll(' ', ''))), new Set(types.map(([, name]) => name!)))
})

test('docs/compliance shows valid rule files whose cases pass', () => {
  const files = [...page('psd2-rts-article-2.md').matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!)
  assert.ok(files.length >= 2)
  for (const text of files) {
    const { ruleSet, mistakes } = readRuleFile(text)
    assert.deepEqual(mistakes, [])
    assert.deepEqual(runCases(ruleSet.rules).failed, [])
    assert.deepEqual(runCases(ruleSet.rules).untried, [])
  }
})
