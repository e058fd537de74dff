import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import metadata from 'libphonenumber-js/max/metadata'
import { agentOf } from '../../device/analysis/user-agent.ts'
import { isDisposable } from '../../email/email-facts.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import { atEnd } from '../../testing/at-end.ts'
import { disposableDomains } from './disposable-domains.ts'
import { frozenValues } from './frozen-values.ts'
import { numberingPlans } from './numbering-plans.ts'
import { renumberings } from './renumberings.ts'
import { newestTable, tableFile, tableStatus } from './tables.ts'
import { type PublishedTables, updateTables } from './update-tables.ts'
import { newestTables } from './use-newest.ts'

const now = Date.UTC(2027, 5, 1)
const clock = { now: () => now }
const quiet = { error() {}, info() {} }

/** A publisher with one file, and a data folder. */
async function publisher(t: TestContext, name: keyof PublishedTables) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'dated-data-'))
  let published = ''
  const server = createServer((_, response) => {
    response.setHeader('last-modified', new Date('2027-05-20').toUTCString())
    response.end(published)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    server.close()
    server.closeAllConnections()
    rmSync(dataFolder, { recursive: true })
    frozenValues.use(frozenValues.shipped)
    numberingPlans.use(numberingPlans.shipped)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/table.json`
  return {
    dataFolder,
    publish: (content: unknown) => {
      published = typeof content === 'string' ? content : JSON.stringify(content)
    },
    update: async () => (await updateTables({ dataFolder, tables: { [name]: { url } }, now }))[0]!,
  }
}

const uBrowser =
  'Mozilla/5.0 (Linux; Android 15; X) AppleWebKit/537.36 Chrome/140.0.0.0 NewBrowser/7.1 Mobile Safari/537.36'
const newer = {
  ...frozenValues.shipped,
  asOf: '2027-05-01',
  browsers: [...frozenValues.shipped.browsers, { token: 'NewBrowser', name: 'New Browser' }],
}

test('a running process uses a newer table, and goes on with it when the next one is damaged or older', async (t) => {
  const { dataFolder, publish, update } = await publisher(t, 'frozenValues')
  const running = newestTables({ dataFolder, clock, log: quiet })
  await running.look()
  assert.equal(agentOf(uBrowser).browser.name, 'Chrome')

  publish(newer)
  assert.deepEqual(await update(), { name: 'frozenValues', outcome: 'updated', asOf: '2027-05-01' })
  await running.look()
  assert.deepEqual(agentOf(uBrowser).browser, { name: 'New Browser', version: '7.1' })

  const refused: Record<string, [unknown, RegExp]> = {
    older: [{ ...newer, asOf: '2027-04-01' }, /dated 2027-04-01, and the one in use 2027-05-01/],
    'of the future': [{ ...newer, asOf: '2028-01-01' }, /in the future/],
    'cut off': [JSON.stringify(newer).slice(0, -20), /not valid JSON/],
    'of another form': [{ ...newer, systems: [{ system: 'macOS', pattern: '(a+)+' }] }, /systems/],
    'without a day that exists': [{ ...newer, asOf: '2027-13-45' }, /not a date/],
    'a page of a proxy': ['<html>', /not valid JSON/],
    endless: [' '.repeat(17 * 1024 * 1024), /more than/],
  }
  for (const [what, [content, reason]] of Object.entries(refused)) {
    publish(content)
    const { outcome, reason: told, asOf } = await update()
    assert.deepEqual([outcome, asOf], ['kept', '2027-05-01'], what)
    assert.match(told!, reason, what)
  }
  await running.look()
  assert.equal(agentOf(uBrowser).browser.name, 'New Browser')

  writeFileSync(tableFile(dataFolder, 'frozenValues'), '{')
  await running.look()
  assert.equal(agentOf(uBrowser).browser.name, 'New Browser', 'the previous table stays')
  assert.throws(() => newestTable(dataFolder, 'frozenValues', now), /is damaged: .*Run "ringfence data update"/)
  assert.match(tableStatus(dataFolder, now).find(({ name }) => name === 'frozenValues')!.refused!, /damaged/)
})

test('a stored table that is older than that of the release is not used', async (t) => {
  const { dataFolder, publish, update } = await publisher(t, 'frozenValues')
  publish(newer)
  await update()
  writeFileSync(tableFile(dataFolder, 'frozenValues'), JSON.stringify({ ...newer, asOf: '2020-01-01' }))
  assert.equal(newestTable(dataFolder, 'frozenValues', now).isStored, false)
})

test('a stored table that is dated in the future is not used, and gives way to a newer one', async (t) => {
  const { dataFolder, publish, update } = await publisher(t, 'frozenValues')
  publish(newer)
  await update()
  writeFileSync(tableFile(dataFolder, 'frozenValues'), JSON.stringify({ ...newer, asOf: '2099-01-01' }))
  await newestTables({ dataFolder, clock, log: quiet }).look()
  assert.equal(agentOf(uBrowser).browser.name, 'Chrome')
  const { refused, datedMs } = tableStatus(dataFolder, now).find(({ name }) => name === 'frozenValues')!
  assert.match(refused!, /is dated 2099-01-01, in the future/)
  assert.equal(datedMs, Date.parse(frozenValues.shipped.asOf))
  assert.deepEqual(await update(), { name: 'frozenValues', outcome: 'updated', asOf: '2027-05-01' })
  await newestTables({ dataFolder, clock, log: quiet }).look()
  assert.equal(agentOf(uBrowser).browser.name, 'New Browser')
})

test('numbers follow the newer numbering plans of libphonenumber, which have the date of their file', async (t) => {
  const { dataFolder, publish, update } = await publisher(t, 'numberingPlans')
  const running = newestTables({ dataFolder, clock, log: quiet })
  const number = '4170012345678'
  assert.equal(parsePhoneNumber(number), undefined)
  const plan = structuredClone(metadata.countries.CH) as unknown as [string, string, string, number[], ...unknown[]]
  plan[2] = '\\d{9,11}'
  plan[3] = [9, 10, 11]
  ;(plan[11] as unknown[])[1] = ['70\\d{9}|7[5-9]\\d{7}', [9, 11]]
  publish({ ...metadata, countries: { ...metadata.countries, CH: plan } })
  assert.deepEqual(await update(), { name: 'numberingPlans', outcome: 'updated', asOf: '2027-05-20' })
  await running.look()
  assert.equal(parsePhoneNumber(number)?.type, 'MOBILE')
  assert.ok(JSON.parse(readFileSync(tableFile(dataFolder, 'numberingPlans'), 'utf8')).asOf)

  const { CH: _, DE: __, FR: ___, GB: ____, IN: _____, US: ______, ...few } = metadata.countries
  publish({ ...metadata, countries: few })
  assert.match((await update()).reason!, /no numbering plan for 6 countries/)
  const broken = structuredClone(plan)
  broken[2] = '(('
  publish({ ...metadata, countries: { ...metadata.countries, CH: broken } })
  assert.match((await update()).reason!, /numbering plan of CH has a pattern that cannot be read/)
})

test('no numbering plan has a pattern that runs long: one with loops, or with many ways through it', async (t) => {
  const { publish, update } = await publisher(t, 'numberingPlans')
  const patterns = [
    '(?:\\d+)+x',
    '(?:\\d*)*',
    '\\d{1,}',
    '(?:(?:\\d{1,17}){1,17}){1,17}',
    '(?:\\d?){17}',
    '\\d{0,9}'.repeat(40),
    '\\d?'.repeat(40),
    '(?:\\d|[0-9])'.repeat(17),
    '(?:\\d{0,9}|1)'.repeat(17),
    '(?=\\d+)1',
    '(1)\\1',
    '.*',
  ]
  for (const place of ['any number', 'national prefix', 'leading digits', 'a line'] as const) {
    for (const pattern of patterns) {
      const plan = structuredClone(metadata.countries.CH) as unknown as [string, string, string, number[], ...unknown[]]
      if (place === 'any number') plan[2] = pattern
      else if (place === 'national prefix') plan[7] = pattern
      else if (place === 'leading digits') plan[10] = pattern
      else (plan[11] as unknown[])[1] = [pattern]
      publish({ ...metadata, countries: { ...metadata.countries, CH: plan } })
      const { outcome, reason } = await update()
      assert.deepEqual([outcome, reason?.includes('may run long')], ['kept', true], `${place}: ${pattern}`)
    }
  }
})

test('no renumbering has a pattern that runs long', async (t) => {
  const { publish, update } = await publisher(t, 'renumberings')
  const publishWith = (old: string) => {
    const rows = [...renumberings.shipped.renumberings, { since: '2026-11-10', old, says: 'Eight digits' }]
    publish({ ...renumberings.shipped, asOf: '2027-05-01', renumberings: rows })
  }
  for (const old of ['^999(([0-9]{1,9}){1,9}){1,9}1111$', '^999(?:[0-9]{1,9}){9}$', `^999${'[0-9]{0,9}'.repeat(9)}$`]) {
    publishWith(old)
    const { outcome, reason } = await update()
    assert.deepEqual([outcome, reason?.includes('may run long')], ['kept', true], old)
  }
  publishWith('^999(?:[0-9]{7}|1[0-9]{0,6})$')
  assert.equal((await update()).outcome, 'updated')
})

test('the list of disposable domains is renewed from a text or an array, and never with domains of honest people', async (t) => {
  const { dataFolder, publish, update } = await publisher(t, 'disposableDomains')
  atEnd(t, () => disposableDomains.use(disposableDomains.shipped))
  const running = newestTables({ dataFolder, clock, log: quiet })
  await running.look()
  const { domains } = disposableDomains.shipped
  assert.equal(isDisposable('new.example'), false)
  publish(['# a comment', ...domains, 'New.example', ''].join('\r\n'))
  assert.deepEqual(await update(), { name: 'disposableDomains', outcome: 'updated', asOf: '2027-05-20' })
  await running.look()
  assert.equal(isDisposable('a.new.example'), true)
  publish([...domains, 'newer.example'])
  assert.equal((await update()).outcome, 'updated')
  await running.look()
  assert.deepEqual([isDisposable('newer.example'), isDisposable('new.example')], [true, false])
  const refused: Record<string, [unknown, RegExp]> = {
    'a large provider': [[...domains, 'gmail.com'], /it has gmail\.com, where honest people have addresses/],
    'a whole country': [[...domains, 'co.uk'], /it has co\.uk/],
    'a part': [domains.slice(0, 2000), /it has 2000 domains, and that of the release/],
    'no domains': [[...domains, 'a b.example'], /domains.*pattern/],
    numbers: [[...domains, 7], /domains.*must be string/],
    'a page of a proxy': ['<html>', /not valid JSON/],
    'cut off': [JSON.stringify(domains).slice(0, -5), /not valid JSON/],
    'one empty text': ['', /domains/],
  }
  for (const [what, [content, reason]] of Object.entries(refused)) {
    publish(content)
    const { outcome, reason: told } = await update()
    assert.equal(outcome, 'kept', what)
    assert.match(told!, reason, what)
  }
  await running.look()
  assert.equal(isDisposable('newer.example'), true, 'the previous list stays')
})
