import assert from 'node:assert/strict'
import { link, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { Network } from '@ringfence/contract'
import Value from 'typebox/value'
import { testClock } from '../testing/test-clock.ts'
import { type IpLookUpResources, openIpLookUp } from './look-up.ts'
import { type MmdbContent, mmdbBytes } from './testing/mmdb-writer.ts'

const builtAt = new Date('2026-03-01T00:00:00Z')

/** As ip-location-db writes it: flat, with coordinates in strings. */
const flat: MmdbContent = {
  databaseType: 'city ipv4',
  builtAt,
  ipVersion: 4,
  networks: {
    '8.8.8.0/24': {
      city: 'Mountain View',
      country_code: 'US',
      latitude: '37.422',
      longitude: '-122.085',
      postcode: '',
      state1: 'California',
      state2: '',
      timezone: '',
    },
    '9.0.0.0/8': { city: '', country_code: 'FR', latitude: '46', longitude: '2', state1: '', timezone: '' },
    '11.0.0.0/8': { city: '', country_code: 'ZZ', latitude: '0', longitude: '0', state1: '', timezone: '' },
    '12.0.0.0/8': { city: 'Nowhere', country_code: 'XQ', latitude: 'north', longitude: 'NaN', state1: 'A region' },
  },
}

/** As MaxMind, DB-IP and most others write it: nested. */
const nested: MmdbContent = {
  databaseType: 'GeoLite2-City',
  builtAt,
  networks: {
    '81.2.69.0/24': {
      city: { geoname_id: 2643743, names: { de: 'London', en: 'London' } },
      continent: { code: 'EU', names: { en: 'Europe' } },
      country: { iso_code: 'GB', names: { en: 'United Kingdom' } },
      location: { accuracy_radius: 10, latitude: 51.5142, longitude: -0.0931, time_zone: 'Europe/London' },
      subdivisions: [
        { iso_code: 'ENG', names: { en: 'England' } },
        { iso_code: 'WSM', names: { en: 'Westminster' } },
      ],
    },
    '2a02:c7f::/32': {
      country: { iso_code: 'GB', names: { en: 'United Kingdom' } },
      location: { latitude: 51.4964, longitude: -0.1224 },
      subdivisions: [{ iso_code: 'WLS', names: { en: 'Wales' } }],
    },
  },
}

const asn: MmdbContent = {
  databaseType: 'GeoLite2-ASN',
  builtAt,
  networks: {
    '81.0.0.0/8': { autonomous_system_number: 20712, autonomous_system_organization: 'Andrews & Arnold Ltd' },
    '2a02:c7f::/32': { autonomous_system_number: 4294967294 },
    '8.0.0.0/9': { traits: { autonomous_system_number: 3356, autonomous_system_organization: 'Lumen' } },
  },
}

suite('files from the configuration', () => {
  let folder: string
  const path = (name: string) => join(folder, name)
  const errors: unknown[] = []
  const log = { error: (entry: unknown) => errors.push(entry) } as unknown as IpLookUpResources['log']
  const open = (ipCityFiles: string, ipAsnFiles = path('asn.mmdb')) =>
    openIpLookUp({ settings: { ipCityFiles, ipAsnFiles }, log })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ringfence-ip-'))
    await writeFile(path('flat.mmdb'), mmdbBytes(flat))
    await writeFile(path('nested.mmdb'), mmdbBytes(nested))
    await writeFile(path('asn.mmdb'), mmdbBytes(asn))
  })
  after(() => rm(folder, { recursive: true }))

  test('converts the nested shape to the network object of 2.4', async () => {
    const network = await open(path('nested.mmdb')).networkOf('81.2.69.142')
    assert.deepEqual(network, {
      ip: '81.2.69.142',
      timezone: 'Europe/London',
      ipLocation: {
        accuracyRadius: 10,
        city: { name: 'London' },
        subdivisions: { code: 'ENG', name: 'England' },
        country: { code: 'GB', name: 'United Kingdom' },
        continent: { code: 'EU' },
        latitude: 51.5142,
        longitude: -0.0931,
        asn: { asn: '20712', name: 'Andrews & Arnold Ltd', network: '81.0.0.0/8' },
      },
    })
  })

  test('converts the flat shape with coordinates in strings, and derives time zone and continent', async () => {
    const network = await open(path('flat.mmdb')).networkOf('8.8.8.8')
    assert.deepEqual(network, {
      ip: '8.8.8.8',
      timezone: 'America/Los_Angeles',
      ipLocation: {
        accuracyRadius: 20,
        city: { name: 'Mountain View' },
        subdivisions: { name: 'California' },
        country: { code: 'US', name: 'United States' },
        continent: { code: 'NA' },
        latitude: 37.422,
        longitude: -122.085,
        asn: { asn: '3356', name: 'Lumen', network: '8.0.0.0/9' },
      },
    })
  })

  test('queries several files until one knows the IP address, also IPv6 and IPv4-mapped', async () => {
    const lookUp = open(`${path('flat.mmdb')}, ${path('nested.mmdb')}`)
    assert.equal((await lookUp.networkOf('::ffff:8.8.8.8')).ip, '8.8.8.8')
    assert.equal((await lookUp.networkOf('::ffff:8.8.8.8')).ipLocation.city?.name, 'Mountain View')
    assert.deepEqual((await lookUp.networkOf('2A02:C7F:0::1')).ipLocation, {
      accuracyRadius: 200,
      city: {},
      subdivisions: { code: 'WLS', name: 'Wales' },
      country: { code: 'GB', name: 'United Kingdom' },
      continent: { code: 'EU' },
      latitude: 51.4964,
      longitude: -0.1224,
      asn: { asn: '4294967294', network: '2a02:c7f::/32' },
    })
  })

  test('omits what is unknown, and returns {} for city and subdivisions', async () => {
    const lookUp = open(path('flat.mmdb'))
    assert.deepEqual(await lookUp.networkOf('9.9.9.9'), {
      ip: '9.9.9.9',
      timezone: 'Europe/Paris',
      ipLocation: {
        accuracyRadius: 1000,
        city: {},
        subdivisions: {},
        country: { code: 'FR', name: 'France' },
        continent: { code: 'EU' },
        latitude: 46,
        longitude: 2,
      },
    })
    const unknown = { city: {}, subdivisions: {} }
    assert.deepEqual(await lookUp.networkOf('11.1.1.1'), { ip: '11.1.1.1', ipLocation: unknown })
    assert.deepEqual(await lookUp.networkOf('13.1.1.1'), { ip: '13.1.1.1', ipLocation: unknown })
    assert.deepEqual(await lookUp.networkOf('12.1.1.1'), {
      ip: '12.1.1.1',
      ipLocation: { city: { name: 'Nowhere' }, subdivisions: { name: 'A region' }, country: { code: 'XQ' } },
    })
  })

  test('returns ip with an empty ipLocation for private, loopback, link-local, CGNAT and bogon addresses', async () => {
    const lookUp = open(path('nested.mmdb'))
    for (const ip of ['10.0.0.1', '127.0.0.1', '169.254.3.4', '100.64.0.1', '192.0.2.1', '::1', 'fe80::1', 'fd00::1']) {
      assert.deepEqual(await lookUp.networkOf(ip), { ip, ipLocation: {} })
    }
    assert.deepEqual(await lookUp.networkOf('::ffff:10.0.0.1'), { ip: '10.0.0.1', ipLocation: {} })
    await assert.rejects(lookUp.networkOf('localhost'), RangeError)
  })

  test('returns bodies that fit the contract', async () => {
    const lookUp = open(`${path('flat.mmdb')},${path('nested.mmdb')}`)
    for (const ip of [
      '8.8.8.8',
      '9.9.9.9',
      '11.1.1.1',
      '12.1.1.1',
      '81.2.69.142',
      '2a02:c7f::1',
      '10.0.0.1',
      '1.1.1.1',
    ]) {
      assert.deepEqual(Value.Errors(Network, await lookUp.networkOf(ip)), [], ip)
    }
  })

  test('refuses an unusable file at the start with the reason and what to do', async () => {
    const whole = mmdbBytes(nested)
    const markerAt = whole.lastIndexOf('MaxMind.com')
    const withoutTree = whole.subarray(40)
    const files: [name: string, bytes: Buffer, reason: RegExp][] = [
      ['empty.mmdb', Buffer.alloc(0), /has no MMDB metadata at its end/],
      ['cut-short.mmdb', whole.subarray(0, whole.length - 200), /has no MMDB metadata at its end: it is truncated/],
      ['cut-in-metadata.mmdb', whole.subarray(0, markerAt + 30), /metadata that cannot be read/],
      ['piece-missing.mmdb', withoutTree, /is damaged: its tree does not end where it should/],
      ['text.mmdb', Buffer.from('<html>403 Forbidden</html>'), /or not an MMDB file/],
    ]
    for (const [name, bytes, reason] of files) {
      await writeFile(path(name), bytes)
      const fails = { name: 'DataFileError', message: reason }
      assert.throws(() => open(path(name)), fails, name)
      assert.throws(() => open(path('nested.mmdb'), path(name)), fails, name)
    }
    assert.throws(() => open(path('absent.mmdb')), /absent\.mmdb cannot be read \(ENOENT\)\. .*unset IP_CITY_FILES/)
    assert.throws(() => open(folder), /is not a file|EISDIR/)
    assert.throws(() => open(path('nested.mmdb'), path('absent.mmdb')), /unset IP_ASN_FILES/)
  })

  test('logs a file that is damaged or missing on first use, returns no location, and tries again', async () => {
    const damaged = mmdbBytes(nested)
    damaged.fill(0xff, damaged.indexOf('London') - 30, damaged.indexOf('London') + 60)
    await writeFile(path('damaged.mmdb'), damaged)
    const unknown = { ip: '81.2.69.142', ipLocation: { city: {}, subdivisions: {} } }
    errors.length = 0
    assert.deepEqual(await open(path('damaged.mmdb')).networkOf('81.2.69.142'), unknown)
    assert.equal(errors.length, 1)

    await writeFile(path('leaving.mmdb'), mmdbBytes(nested))
    const lookUp = open(path('leaving.mmdb'))
    await rename(path('leaving.mmdb'), path('gone.mmdb'))
    assert.deepEqual(await lookUp.networkOf('81.2.69.142'), unknown)
    assert.equal(errors.length, 2)
    await rename(path('gone.mmdb'), path('leaving.mmdb'))
    assert.equal((await lookUp.networkOf('81.2.69.142')).ipLocation.city?.name, 'London')
    assert.equal(errors.length, 2)
  })

  test('uses a replaced file without a restart, reports a damaged one once and continues with the old one', async () => {
    const file = path('replaced.mmdb')
    let replaced = 0
    const replaceBy = async (bytes: Uint8Array) => {
      // Otherwise the file after the next one has the number of this one, and may have its size and its moment.
      await link(file, path(`replaced-${replaced++}.mmdb`)).catch(() => undefined)
      await writeFile(path('draft.mmdb'), bytes)
      await rename(path('draft.mmdb'), file)
    }
    const cityOf = (city: string) =>
      mmdbBytes({
        ...nested,
        networks: { '81.0.0.0/8': { city: { names: { en: city } }, country: { iso_code: 'GB' } } },
      })
    await replaceBy(cityOf('London'))
    const clock = testClock()
    const lookUp = openIpLookUp({ settings: { ipCityFiles: file, ipAsnFiles: path('asn.mmdb') }, log, clock })
    const city = async () => {
      clock.advance({ seconds: 5 })
      await lookUp.networkOf('81.2.69.142') // notices
      await lookUp.load().catch(() => {})
      return (await lookUp.networkOf('81.2.69.142')).ipLocation.city?.name
    }
    assert.equal(await city(), 'London')
    await replaceBy(cityOf('Leeds'))
    assert.equal(await city(), 'Leeds')

    errors.length = 0
    const overwritten = cityOf('Paris')
    overwritten.fill(0xff, overwritten.indexOf('Paris') - 12, overwritten.indexOf('Paris') + 5)
    for (const damaged of [cityOf('Paris').subarray(0, 60), overwritten, Buffer.from('<html>')]) {
      clock.advance({ seconds: 60 })
      await replaceBy(damaged)
      assert.deepEqual([await city(), await city()], ['Leeds', 'Leeds'])
    }
    assert.equal(errors.length, 3)
    await rm(file)
    assert.equal(await city(), 'Leeds', 'one that is gone is not forgotten')
    await replaceBy(cityOf('York'))
    assert.equal(await city(), 'York')
    assert.equal(errors.length, 3)
  })

  test('logs damage that affects every look-up once a minute', async () => {
    const damaged = mmdbBytes(nested)
    damaged.fill(0xff, damaged.indexOf('London') - 30, damaged.indexOf('London') + 60)
    await writeFile(path('damaged-often.mmdb'), damaged)
    const clock = testClock()
    const settings = { ipCityFiles: path('damaged-often.mmdb'), ipAsnFiles: path('asn.mmdb') }
    const lookUp = openIpLookUp({ settings, log, clock })
    errors.length = 0
    for (let i = 0; i < 100; i++) await lookUp.networkOf('81.2.69.142')
    assert.equal(errors.length, 1)
    clock.advance({ seconds: 60 })
    await lookUp.networkOf('81.2.69.142')
    assert.equal(errors.length, 2)
  })
})

test('knows the network operators of the public resolvers from the starter data', async () => {
  const log = { error: (entry: unknown) => assert.fail(JSON.stringify(entry)) } as unknown as IpLookUpResources['log']
  const lookUp = openIpLookUp({ settings: {}, log })
  const v4 = await lookUp.networkOf('8.8.8.8')
  assert.deepEqual([v4.ipLocation.country?.code, v4.ipLocation.asn?.asn], ['US', '15169'])
  assert.match(v4.ipLocation.asn?.name ?? '', /Google/)
  assert.match(v4.ipLocation.asn?.network ?? '', /^8\.8\.\d+\.0\/\d+$/)
  assert.match(v4.timezone ?? '', /^America\//)
  const v6 = await lookUp.networkOf('2001:4860:4860::8888')
  assert.equal(v6.ipLocation.asn?.asn, '15169')
  assert.equal(v6.ipLocation.continent?.code, 'NA')
  assert.equal((await lookUp.networkOf('1.1.1.1')).ipLocation.asn?.asn, '13335')
  for (const network of [v4, v6]) assert.deepEqual(Value.Errors(Network, network), [])
})
