// What do analyses have in common? Trains the zstd dictionary from simulated visits: no person's data.

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withoutIds } from '../../server/src/device/store/compression/compression.ts'
import { reportsAfter } from '../../server/src/device/store/device-analyses.ts'
import { idsIn, openRecord, recordText } from '../../server/src/device/store/record.ts'
import { androidPhone, iphone } from '../../server/src/device/testdata/phones.ts'
import { recordings } from '../../server/src/device/testdata/recordings.ts'
import { newInstallationKey } from '../../server/src/testing/installation-key.ts'
import { openDeviceBench, type Shown } from './device-visits.ts'
import { makePopulation } from './recognition/population.ts'
import { randomOf } from './recognition/random.ts'
import { fittingRates } from './recognition/rates.ts'

/** Half of it would make an analysis 28 bytes larger. */
const bytes = 32_768
const visits = 2400

const { positionals } = parseArgs({ allowPositionals: true })
const [output] = positionals
if (!output)
  throw new Error(
    'node proof/bench/train-dictionary.ts FILE: server/src/device/store/compression/dictionaries/N.zdict, N the next number',
  )

const folder = await mkdtemp(join(tmpdir(), 'ringfence-dictionary-'))
const service = await openDeviceBench(folder)
try {
  const random = randomOf(4711)
  const anyAddress = () =>
    [1 + random.below(222), random.below(256), random.below(256), 1 + random.below(254)].join('.')
  const population = makePopulation(visits, 4711, fittingRates)
  const known = recordings()
  const devices = Array.from({ length: visits / 3 }, (_, index) => ({
    device: population.newDevice(),
    recording: known[index % known.length]!.evidence,
    token: undefined as string | undefined,
    // Some browsers make no key.
    ...(index % 5 > 0 && { key: newInstallationKey() }),
  }))
  /** Mostly browsers, recorded ones among them, and phones. */
  const shown = (one: (typeof devices)[number], kind: number): Shown => {
    const address = anyAddress()
    if (kind < 0.1) return { facts: iphone().facts, address, platform: 'IOS' }
    if (kind < 0.15) return { facts: androidPhone().facts, address, platform: 'ANDROID' }
    if (kind < 0.3) return { facts: one.recording.facts, headers: headersOf(one.recording.headers), address }
    const { facts } = one.device.visit(Math.floor(random.next() * 180))
    return { facts, address, headers: { 'user-agent': facts.userAgent ?? '' } }
  }
  let one = devices[0]!
  for (let count = 0; count < visits; count++) {
    // Some return within minutes, others after weeks: their reports contain history.
    if (!random.chance(0.3)) one = devices[random.below(devices.length)]!
    service.clock.time += 60_000 * random.below(30)
    const visit = shown(one, random.next())
    const { deviceToken } = await service.fingerprint(
      await service.prepare({ ...visit, ...(one.key && { key: one.key }) }, random.chance(0.5) ? one.token : undefined),
    )
    one.token = deviceToken
  }

  const samples = join(folder, 'samples')
  const { database, tenantId, needs } = service
  const { compression } = needs
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const rows = await reportsAfter(database, { tenantId, dfrId: '' }, { since: 0, limit: visits })
  await writeFile(samples, '')
  const files = await Promise.all(
    rows.map(async (row, index) => {
      const file = `${samples}-${index}`
      await writeFile(
        file,
        withoutIds(recordText(row, keys, compression), idsIn(openRecord(row, keys, compression).analysis)).shortened,
      )
      return file
    }),
  )
  const how = ['--train-fastcover=d=8,steps=64,accel=1', `--maxdict=${bytes}`]
  execFileSync('zstd', ['-q', '-f', ...how, ...files, '-o', output], { stdio: 'inherit' })
  console.log(`${output}: from ${rows.length} analyses`)
} finally {
  await service.close()
  await rm(folder, { recursive: true, force: true })
}

function headersOf(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
