// Does a device keep its id over a year, and never another's? The goals of device identity, beside simpler recognisers.

import type { Database } from '../../server/src/core/storage/database.ts'
import { openDatabase } from '../../server/src/core/storage/open-database.ts'
import { families } from '../../server/src/device/identity/components.ts'
import { answer, type Bench, type Goal, type Row, row, type Table, tableText, worstOf } from './harness/harness.ts'
import { withResources } from './harness/processes.ts'
import type { AccountCounts } from './identity/accounts.ts'
import type { Counts } from './identity/counts.ts'
import { type Farm, playFarm } from './identity/farm.ts'
import { type Judged, type Played, playLives, ringfence, withLikely } from './identity/lives.ts'
import type { Group } from './recognition/counts.ts'
import { reliabilityOf } from './recognition/decided.ts'
import type { Shown } from './recognition/trials.ts'

/** `npm run bench -- identity`: ten thousand devices, in about six minutes of CPU. */
export const identity: Bench = { name: 'identity', run: () => measure(10_000) }
/** A hundred thousand devices: an hour. */
export const identityOfMany: Bench = { name: 'identity-100k', onlyByName: true, run: () => measure(100_000) }

const desktops: readonly Group[] = ['Chromium', 'Firefox', 'Safari']
const browsers: readonly Group[] = [...desktops, 'Android']

const measure = (size: number): Promise<Table[]> =>
  withResources(async (keep, folder) => played(size, keep(await openDatabase(folder))))

async function played(size: number, database: Database): Promise<Table[]> {
  const played = await playLives(size, database)
  const { tenantId, services } = played.service
  const farms = {
    'equal phones': await playFarm(tenantId, services, 11, true),
    'phones of many models': await playFarm(tenantId, services, 12, false),
  }
  const devices = size.toLocaleString('en')
  return [
    lives(played, `Identity over a year, ${devices} devices`),
    compared(played, 'Simpler recognisers on the same visits'),
    ofAccounts(played.accounts, 'Known for the account'),
    calibration(played.judged, 'Calibration error'),
    ofFarms(farms),
  ]
}

const perCent = (part: number, whole: number) => [(100 * part) / Math.max(1, whole)]
function lives({ boards, visits, notByKey, recognisingMicros }: Played, title: string): Table {
  const of = (groups: readonly Group[]) => boards[ringfence]!.total(groups)
  const all = of([...browsers, 'iPhone'])
  const withDoubt = boards[withLikely]!.total(desktops)
  return {
    title,
    notes: [
      `${visits.toLocaleString('en')} visits of a simulated population (docs/recognition.md), which the weights were not fitted to. Each device returns twenty times, after six hours to ninety days: half of the returns with storage cleared, a tenth in private windows, one visit in fifty on a slow machine.`,
    ],
    rows: [
      ...ofGroups('desktops', of(desktops)),
      ...worstOf(
        desktops.map((group) => wrongIds(`… ${group}`, of([group]))),
        0.4,
      ),
      ...ofGroups('Android', of(['Android'])),
      row('desktops: ids, where `likely` counts', 'a device', idsOf(withDoubt), { atMost: 1.15 }),
      row('… more than three', 'devices', [withDoubt.many], { atMost: 0 }),
      row('iPhones: ids', 'a device', idsOf(of(['iPhone']))),
      wrongIds('all', all, { atMost: 0.4 }),
      row('returns with their key: their own id', '%', perCent(all.keptOwn, all.kept), { atLeast: 100 }),
      row('… not named by it', 'visits', [notByKey], { atMost: 0 }),
      row('one recognition with its writes', 'µs CPU of all threads', [recognisingMicros]),
    ],
  }
}

const idsOf = ({ ids, devices }: Counts) => [ids / Math.max(1, devices)]
const foundOf = ({ own, cleared }: Counts) => perCent(own, cleared)
const wrongIds = (what: string, { merged, visits }: Counts, goal?: Goal) =>
  row(`${what}: got another device’s id`, '% of visits', perCent(merged, visits), goal)

function ofGroups(what: string, its: Counts): Row[] {
  return [
    answer(`${what}: ids`, 'a device', idsOf(its)),
    row(`${what}: more than three ids`, 'devices', [its.many]),
    answer(`${what}: cleared, and recognised`, '% of returns', foundOf(its)),
    wrongIds(what, its, { atMost: 0.4 }),
    row(`${what}: the same, without a token`, '% of these visits', perCent(its.mergedWithoutToken, its.withoutToken)),
  ]
}

function compared({ boards }: Played, title: string): Table {
  const groups: Readonly<Record<string, readonly Group[]>> = { desktops, Android: ['Android'] }
  const rows = Object.entries(groups).flatMap(([group, its]) =>
    Object.entries(boards).flatMap(([name, board]) => {
      const counts = board.total(its)
      const what = `${group}, ${name}`
      // The page has ours in the table before.
      const asked = name.startsWith(ringfence) ? row : answer
      return [
        row(`${what}: ids`, 'a device', idsOf(counts)),
        row(`${what}: more than three ids`, '% of devices', perCent(counts.many, counts.devices)),
        asked(`${what}: cleared, and recognised`, '% of returns', foundOf(counts)),
        asked(`${what}: got another device’s id`, '% of visits', perCent(counts.merged, counts.visits)),
      ]
    }),
  )
  return {
    title,
    notes: [
      'All follow a token that the browser stored. FP-STALKER: the published rules (Vastel et al., 2018), with the canvas left out where the browser randomises it. Equal hash: the same facts, without versions and networks.',
    ],
    rows,
  }
}

function ofAccounts(counts: Played['accounts'], title: string): Table {
  const of = (figure: keyof AccountCounts, groups: readonly Group[]) =>
    groups.reduce((sum, one) => sum + (counts.get(one)?.[figure] ?? 0), 0)
  const wrongly = (what: string, groups: readonly Group[], goal?: Goal) => {
    const wrong = of('othersKnown', groups) + of('strangersKnown', groups)
    const visits = of('others', groups) + of('strangers', groups)
    return row(`${what}: not of the account, and called known`, '% of visits', perCent(wrong, visits), goal)
  }
  const ofGroup = (what: string, groups: readonly Group[], atLeast: number) => {
    const part = (wrong: 'othersKnown' | 'strangersKnown', all: 'others' | 'strangers') =>
      perCent(of(wrong, groups), of(all, groups))
    return [
      row(`${what}: cleared, and known`, '% of returns', perCent(of('own', groups), of('returns', groups)), {
        atLeast,
      }),
      wrongly(what, groups, { atMost: 0.5 }),
      row('… a new device of the account', '%', part('othersKnown', 'others')),
      row('… a stranger with the same model', '%', part('strangersKnown', 'strangers')),
    ]
  }
  return {
    title,
    notes: [
      'A seventh of the visits without a token names its account. The visit is known when its device is, or resembles one of the account. Each is repeated by a stranger with the same model.',
    ],
    rows: [
      ...ofGroup('desktops', desktops, 99),
      ...worstOf(
        desktops.map((group) => wrongly(`… ${group}`, [group])),
        0.5,
      ),
      ...ofGroup('Android', ['Android'], 93),
    ],
  }
}

const ways: readonly Shown[] = ['as it came', 'without address', 'half of the facts']

/** One first visit for two returns, as the curves were made. */
function calibration(judged: readonly Judged[], title: string): Table {
  const rows = ways.flatMap((way) => {
    const ofFamilies = families.map((family) => {
      const its = judged.filter((one) => one.family === family && one.shown === way && !one.isIndistinguishable)
      const returns = its.filter(({ isReturn }) => isReturn).length
      const ofReturn = (2 * (its.length - returns)) / Math.max(1, returns)
      const weighed = its.map((one) => ({ ...one, weight: one.isReturn ? ofReturn : 1 }))
      return row(`${way}: ${family}`, `of ${its.length} visits`, [reliabilityOf(weighed).error])
    })
    return worstOf(ofFamilies, 0.02)
  })
  return {
    title,
    notes: ['Visits without a token: the mean difference between `confidence.score` and the share of right answers.'],
    rows,
  }
}

function ofFarms(farms: Readonly<Record<string, Farm>>): Table {
  return {
    title: 'A farm: 288 phones behind one address, one each minute',
    notes: ['Each phone visits with a new key, and a week later with its token and that key.'],
    rows: Object.entries(farms).flatMap(([what, { merged, highest, mean, foreign, notByKey }]) => [
      answer(`${what}: got another’s id`, 'phones', [merged]),
      row('… highest confidence', '0 to 1', [highest], { atMost: 0.6 }),
      row('… mean confidence', '0 to 1', [mean]),
      row('… taken for another installation, with their key', 'phones', [foreign], { atMost: 0 }),
      row('… not named by their key', 'phones', [notByKey]),
    ]),
  }
}

if (import.meta.main) for (const table of await measure(Number(process.argv[2] ?? 2000))) console.log(tableText(table))
