import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { PublishedFiles } from '../../core/config/ip-data-settings.ts'
import { atEnd } from '../../testing/at-end.ts'
import { testClock } from '../../testing/test-clock.ts'
import { openIpLookUp } from '../look-up.ts'
import { type MmdbContent, mmdbBytes } from '../testing/mmdb-writer.ts'
import { startPublisher } from '../testing/publisher.ts'
import { addressFileStatus } from './address-files.ts'
import { updateFiles } from './update-files.ts'

const builtAt = new Date('2026-02-01')
const cityFile = (name: string, changes: Partial<MmdbContent> = {}) =>
  mmdbBytes({
    databaseType: 'DBIP-City-Lite',
    builtAt,
    networks: { '80.0.0.0/6': { city: { names: { en: name } }, country: { iso_code: 'GB' } } },
    ...changes,
  })
const asnFile = mmdbBytes({
  databaseType: 'DBIP-ASN-Lite',
  builtAt,
  networks: { '80.0.0.0/6': { autonomous_system_number: 64500, autonomous_system_organization: 'Example' } },
})

async function start(t: TestContext) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-files-'))
  atEnd(t, () => rm(dataFolder, { recursive: true }))
  const publisher = await startPublisher(t)
  const clock = testClock()
  const log = { error: (entry: unknown) => assert.fail(JSON.stringify(entry)) } as never
  const lookUp = openIpLookUp({ settings: { dataFolder }, log, clock })
  const files: PublishedFiles = {
    places: { kind: 'city', url: `${publisher.url}/city-{YYYY-MM}.mmdb.gz` },
    operators: { kind: 'asn', url: `${publisher.url}/asn.mmdb` },
  }
  publisher.answers['/city-2026-03.mmdb.gz'] = { body: gzipSync(cityFile('London')) }
  publisher.answers['/asn.mmdb'] = { body: asnFile }
  return {
    dataFolder,
    publisher,
    update: (options = {}) => updateFiles({ dataFolder, files, now: clock.now(), ...options }),
    async place() {
      clock.advance({ seconds: 5 })
      await lookUp.networkOf('81.2.69.142') // notices
      await lookUp.load()
      const { city, asn } = (await lookUp.networkOf('81.2.69.142')).ipLocation
      return [city?.name, asn?.asn]
    },
  }
}

const outcomes = (updates: Awaited<ReturnType<typeof updateFiles>>) =>
  updates.map(({ outcome, reason }) => (reason === undefined ? outcome : `${outcome}: ${reason}`))

test('data update fetches IP files, plain or in gzip, and a running server uses them without a restart', async (t) => {
  const { dataFolder, publisher, update, place } = await start(t)
  assert.notEqual((await place())[1], '64500', 'starter data before')
  assert.deepEqual(outcomes(await update()), ['updated', 'updated'])
  assert.deepEqual(await place(), ['London', '64500'])
  assert.deepEqual(
    addressFileStatus({ dataFolder }).map(({ kind, origin, starter, licence }) => [
      kind,
      origin,
      starter,
      licence.name,
    ]),
    [
      ['city', 'DBIP-City-Lite', false, 'CC BY 4.0'],
      ['asn', 'DBIP-ASN-Lite', false, 'CC BY 4.0'],
    ],
  )
  publisher.answers['/city-2026-03.mmdb.gz'] = { body: gzipSync(cityFile('Leeds')) }
  await update()
  assert.deepEqual(await place(), ['Leeds', '64500'])
})

test("replaces {YYYY-MM} by this month, or by the previous one while this month's file does not exist", async (t) => {
  const { publisher, update, place } = await start(t)
  publisher.answers['/city-2026-02.mmdb.gz'] = { body: gzipSync(cityFile('February')) }
  delete publisher.answers['/city-2026-03.mmdb.gz']
  assert.deepEqual(outcomes(await update()), ['updated', 'updated'])
  assert.equal((await place())[0], 'February')
})

test('keeps the old file when the new one is missing, truncated, damaged, older, half as large or of another kind', async (t) => {
  const { dataFolder, publisher, update, place } = await start(t)
  const large = cityFile('London', {
    networks: {
      ...Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`100.${i}.0.0/16`, { city: `city ${i}` }])),
      '80.0.0.0/6': { city: 'London', country_code: 'GB' },
    },
  })
  publisher.answers['/city-2026-03.mmdb.gz'] = { body: large }
  await update()
  const whole = gzipSync(cityFile('Leeds'))
  const damaged = cityFile('Leeds')
  damaged.fill(0xff, damaged.indexOf('Leeds') - 12, damaged.indexOf('Leeds') + 5)
  for (const [answer, reason] of [
    [{ status: 500, body: '' }, /^kept: HTTP 500$/],
    [{ body: large, cutShort: true }, /^kept: /],
    [{ body: whole.subarray(0, whole.length - 20) }, /^kept: unexpected end of file$/],
    [{ body: '<html>maintenance</html>' }, /^kept: it has no MMDB metadata at its end/],
    [{ body: large.subarray(40) }, /^kept: it is damaged: its tree does not end where it should$/],
    [{ body: damaged }, /^kept: it is damaged: \S+ cannot be looked up$/],
    [{ body: asnFile }, /^kept: it is DBIP-ASN-Lite, which has no locations$/],
    [
      { body: cityFile('Leeds', { builtAt: new Date('2026-01-01') }) },
      /^kept: it is dated 2026-01-01, and the one in use 2026-02-01; --force accepts it$/,
    ],
    [{ body: cityFile('Leeds') }, /^kept: it has \d+ bytes, and the one in use \d+; --force accepts it$/],
  ] as const) {
    publisher.answers['/city-2026-03.mmdb.gz'] = answer
    assert.match(outcomes(await update())[0]!, reason)
    assert.equal((await place())[0], 'London')
  }
  assert.deepEqual((await readdir(join(dataFolder, 'ip-files'))).toSorted(), ['asn-operators.mmdb', 'city-places.mmdb'])
  assert.deepEqual(outcomes(await update({ force: true })), ['updated', 'updated'])
  assert.equal((await place())[0], 'Leeds')
})

test('reports a file that was never fetched as missing, and removes other files once all named ones exist', async (t) => {
  const { dataFolder, publisher, update, place } = await start(t)
  await update()
  const files = { others: { kind: 'city', url: `${publisher.url}/other.mmdb` } } as const
  assert.deepEqual(outcomes(await update({ files })), ['missing: HTTP 404'])
  assert.deepEqual(outcomes(await update({ files: {} })), [])
  assert.equal((await place())[0], 'London')
  publisher.answers['/other.mmdb'] = { body: cityFile('Leeds') }
  assert.deepEqual(outcomes(await update({ files })), ['updated'])
  assert.deepEqual(await readdir(join(dataFolder, 'ip-files')), ['city-others.mmdb'])
  assert.equal((await place())[0], 'Leeds')
})

test('a file that is dated in the future is refused, and one in use gives way to any newer download', async (t) => {
  const { dataFolder, publisher, update, place } = await start(t)
  const publish = (name: string, date: string) => {
    publisher.answers['/city-2026-03.mmdb.gz'] = { body: gzipSync(cityFile(name, { builtAt: new Date(date) })) }
  }
  publish('Nowhere', '2099-01-01')
  assert.deepEqual(outcomes(await update()), ['missing: it is dated 2099-01-01, in the future', 'updated'])
  assert.deepEqual(outcomes(await update({ force: true })), [
    'missing: it is dated 2099-01-01, in the future',
    'updated',
  ])
  await writeFile(
    join(dataFolder, 'ip-files', 'city-places.mmdb'),
    cityFile('Nowhere', { builtAt: new Date('2099-01-01') }),
  )
  publish('London', '2026-02-01')
  assert.deepEqual(outcomes(await update()), ['updated', 'updated'])
  assert.equal((await place())[0], 'London')
})
