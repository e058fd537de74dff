// Does a device keep its id over a year, and never another's? The goals of device identity, beside simpler recognisers.

import type { Database } from '../../server/src/core/storage/database.ts'
import { openDatabase } from '../../server/src/core/storage/open-database.ts'
import { families } from '../../server/src/device/identity/components.ts'
import { answer, type Bench, type Row, row, type Table, tableText } from './harness/harness.ts'
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
    compared(played, `Compared with simpler recognisers, ${devices} devices`),
    ofAccounts(played.accounts, `Known for the account, ${devices} devices`),
    calibration(played.judged, `Calibration error, ${devices} devices`),
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
      `${visits.toLocaleString('en')} visits of a simulated population (docs/recognition.md), with change rates and seeds that the weights were not fitted to. First visits are spread over half a year; each device returns twenty times, after six hours to ninety days. Half of the returns have their storage cleared, a tenth are private windows, one visit in fifty is on a slow machine. A device of an account shares home and language with the account's others. The server's own code recognises each visit, on the embedded store.`,
    ],
    rows: [
      ...[desktops, ...desktops.map((group) => [group]), ['Android']].flatMap((groups) =>
        ofGroups(groups as readonly Group[], of(groups as readonly Group[])),
      ),
      row('desktops: ids, where `likely` counts', 'a device, on average', idsOf(withDoubt), { atMost: 1.15 }),
      row('desktops: the same, more than three ids', 'devices', [withDoubt.many], { atMost: 0 }),
      row('iPhones: ids', 'a device; without a token, never recognised', idsOf(of(['iPhone']))),
      row('all: got the id of another device', '% of visits', perCent(all.merged, all.visits), { atMost: 0.4 }),
      row('returns with their key: their own id', '%', perCent(all.keptOwn, all.kept), { atLeast: 100 }),
      row('returns with their key: not named by it', 'visits', [notByKey], { atMost: 0 }),
      row('one recognition with its writes', 'µs CPU of all threads', [recognisingMicros]),
    ],
  }
}

const idsOf = ({ ids, devices }: Counts) => [ids / Math.max(1, devices)]

function ofGroups(groups: readonly Group[], its: Counts): Row[] {
  const what = groups.length > 1 ? 'desktops' : groups[0] === 'Android' ? 'Android' : `… ${groups[0]}`
  // Of each desktop browser the page has the goal.
  const asked = what.startsWith('…') ? row : answer
  return [
    asked(`${what}: ids`, 'a device, on average', idsOf(its)),
    row(`${what}: more than three ids`, 'devices', [its.many]),
    asked(`${what}: cleared, and recognised`, '% of these returns', perCent(its.own, its.cleared)),
    row(`${what}: got the id of another device`, '% of visits', perCent(its.merged, its.visits), { atMost: 0.4 }),
    row(`${what}: the same, without a token`, '% of these visits', perCent(its.mergedWithoutToken, its.withoutToken)),
  ]
}

function compared({ boards }: Played, title: string): Table {
  const rows = [desktops, ['Android'] as const].flatMap((groups) =>
    Object.entries(boards).flatMap(([name, board]) => {
      const its = board.total(groups)
      const what = `${groups.length > 1 ? 'desktops' : 'Android'}, ${name}`
      return [
        row(`${what}: ids`, 'a device', idsOf(its)),
        row(`${what}: more than three ids`, '% of devices', perCent(its.many, its.devices)),
        answer(`${what}: cleared, and recognised`, '% of these returns', perCent(its.own, its.cleared)),
        answer(`${what}: got the id of another device`, '% of visits', perCent(its.merged, its.visits)),
      ]
    }),
  )
  return {
    title,
    notes: [
      'The same visits. All follow a token that the browser kept. FP-STALKER: the published rules (Vastel et al., 2018), with the canvas left out where the browser randomises it. Equal hash: the same facts, without versions and networks, are the same device.',
    ],
    rows,
  }
}

function ofAccounts(counts: Played['accounts'], title: string): Table {
  const rows = [desktops, ...desktops.map((group) => [group]), ['Android'] as const].flatMap((groups) => {
    const of = (figure: keyof AccountCounts) => groups.reduce((sum, one) => sum + (counts.get(one)?.[figure] ?? 0), 0)
    const what = groups.length > 1 ? 'desktops' : groups[0] === 'Android' ? 'Android' : `… ${groups[0]}`
    const goal = groups.length > 1 ? { atLeast: 99 } : groups[0] === 'Android' ? { atLeast: 93 } : undefined
    const wrong = of('othersKnown') + of('strangersKnown')
    return [
      row(
        `${what}: cleared, and known as the own device`,
        `% of ${of('returns')} returns`,
        perCent(of('own'), of('returns')),
        goal,
      ),
      row(
        `${what}: not of the account, and called known`,
        '% of the next two',
        perCent(wrong, of('others') + of('strangers')),
        {
          atMost: 0.5,
        },
      ),
      row(`${what}: … a new device of the account`, `% of ${of('others')}`, perCent(of('othersKnown'), of('others'))),
      row(
        `${what}: … a stranger with the same model`,
        `% of ${of('strangers')}`,
        perCent(of('strangersKnown'), of('strangers')),
      ),
    ]
  })
  return {
    title,
    notes: [
      'A seventh of the visits without a token names its account. The visit is known when it is recognised as one of the account’s devices among all, or resembles one of these few. Each such visit is tried once more by a stranger with a device of the same model, in another home and with other settings.',
    ],
    rows,
  }
}

const ways: readonly Shown[] = ['as it came', 'without address', 'half of the facts']

/** One first visit for two returns, as the curves were made. */
function calibration(judged: readonly Judged[], title: string): Table {
  const rows = families.flatMap((family) =>
    ways.map((way) => {
      const its = judged.filter((one) => one.family === family && one.shown === way && !one.isIndistinguishable)
      const returns = its.filter(({ isReturn }) => isReturn).length
      const ofReturn = (2 * (its.length - returns)) / Math.max(1, returns)
      const weighed = its.map((one) => ({ ...one, weight: one.isReturn ? ofReturn : 1 }))
      return row(`${family}, ${way}`, `of ${its.length} visits`, [reliabilityOf(weighed).error], { atMost: 0.02 })
    }),
  )
  return {
    title,
    notes: [
      'Visits without a token. The mean difference between `confidence.score` and the share of right answers, over ten bins; two returns count as one first visit. A sixth of the visits is judged twice more, without its address and with half of its facts, and not stored.',
    ],
    rows,
  }
}

function ofFarms(farms: Readonly<Record<string, Farm>>): Table {
  return {
    title: 'A farm: 288 phones behind one address, one each minute',
    notes: ['Each phone comes first with a new key, and a week later with its token and that key.'],
    rows: Object.entries(farms).flatMap(([what, { merged, highest, mean, foreign, notByKey }]) => [
      answer(`${what}: first visits that got the id of another`, 'phones', [merged]),
      row(`${what}: highest confidence of these`, '0 to 1', [highest], { atMost: 0.6 }),
      row(`${what}: mean confidence of these`, '0 to 1', [mean]),
      row(`${what}: taken for another installation, with their key`, 'phones', [foreign], { atMost: 0 }),
      row(`${what}: not named by their key`, 'phones', [notByKey]),
    ]),
  }
}

if (import.meta.main) for (const table of await measure(Number(process.argv[2] ?? 2000))) console.log(tableText(table))
