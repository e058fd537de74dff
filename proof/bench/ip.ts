// How fast is an IP look-up (place, network), compared with mmdb-lib alone, and how much memory do the files take?

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Reader, type Response } from 'mmdb-lib'
import { buildAsnFile } from '../../scripts/build-asn-file.ts'
import { addressFilePaths } from '../../server/src/ip/files/address-files.ts'
import { type IpLookUp, openIpLookUp } from '../../server/src/ip/look-up.ts'
import {
  answer,
  type Bench,
  cpuSeconds,
  inTurns,
  perCentOf,
  perCpuSecond,
  row,
  type Table,
  tableText,
} from './harness/harness.ts'

const addressCount = 50_000

/** `node proof/bench/ip.ts`, or as part of `npm run bench`. */
export const ip: Bench = { name: 'ip', run }

const problemIsFatal = {
  error(problem: unknown) {
    throw problem
  },
}
const open = () => openIpLookUp({ settings: {}, log: problemIsFatal })
const readers = () => addressFilePaths({}).city.map((path) => new Reader<Response>(readFileSync(path)))

async function run(): Promise<Table[]> {
  buildAsnFile()
  const [reader4, reader6] = readers() as [Reader<Response>, Reader<Response>]
  const known4 = addresses(randomIpv4, (address) => reader4.get(address) !== null)
  const known6 = addresses(randomIpv6, (address) => reader6.get(address) !== null)
  const lookUp = open()
  await lookUp.load()
  const rates = await inTurns({
    ours4: () => networksPerCpuSecond(lookUp, known4),
    bare4: () => perCpuSecond(known4, (address) => reader4.get(address) ?? undefined),
    ours6: () => networksPerCpuSecond(lookUp, known6),
    bare6: () => perCpuSecond(known6, (address) => reader6.get(address) ?? undefined),
  })
  const loads = await inTurns({
    ours: () => loadedApart('ours'),
    bare: () => loadedApart('bare'),
  })
  const perSecond = 'per CPU-second'
  const { ours4, bare4, ours6, bare6 } = rates
  const [goal4, goal6] = [ours4, ours6].map(({ perCpuSecond }) => ({
    values: perCpuSecond,
    goal: { atLeast: 150_000 },
  }))
  return [
    {
      title: 'Address look-ups',
      notes: ['Random IP addresses that are in the starter data, with network operator and time zone.'],
      rows: [
        { what: 'IPv4, network object', unit: perSecond, ...goal4! },
        row('IPv4, mmdb-lib alone', perSecond, bare4.perCpuSecond),
        row('IPv4', '% of mmdb-lib', perCentOf(ours4.perCpuSecond, bare4.perCpuSecond)),
        { what: 'IPv6, network object', unit: perSecond, ...goal6! },
        row('IPv6, mmdb-lib alone', perSecond, bare6.perCpuSecond),
        row('IPv6', '% of mmdb-lib', perCentOf(ours6.perCpuSecond, bare6.perCpuSecond)),
      ],
    },
    {
      title: 'Address files, first look-up',
      rows: [
        row('check at start', 'ms', loads.ours.checkMs),
        row('read, ours', 'ms', loads.ours.loadMs),
        row('read, ours, event loop held up', 'ms', loads.ours.heldUpMs),
        row('read, mmdb-lib alone', 'ms', loads.bare.loadMs),
        answer('memory added, ours', 'MB resident', loads.ours.addedMb),
        row('memory added, mmdb-lib alone', 'MB resident', loads.bare.addedMb),
      ],
    },
  ]
}

function addresses(random: () => string, isKnown: (address: string) => boolean): string[] {
  const found: string[] = []
  while (found.length < addressCount) {
    const address = random()
    if (isKnown(address)) found.push(address)
  }
  return found
}

const below = (limit: number) => Math.floor(Math.random() * limit)
const randomIpv4 = () => [1 + below(223), below(256), below(256), below(256)].join('.')
/** From the blocks that the registries assign in small pieces. */
const randomIpv6 = () => {
  const hex = (limit: number) => below(limit).toString(16)
  return `${['2a0', '240', '260', '280'][below(4)]}${hex(16)}:${hex(0x8000)}:${hex(0x10000)}::${hex(0x10000)}`
}

/** Like `perCpuSecond` of the harness, for asynchronous answers. */
async function networksPerCpuSecond({ networkOf }: IpLookUp, questions: readonly string[]) {
  const ask = async (seconds: number) => {
    const start = cpuSeconds()
    for (let asked = 0; ; ) {
      for (const end = asked + 100; asked < end; asked++) {
        const { ipLocation } = await networkOf(questions[asked % questions.length]!)
        if (!ipLocation.city) throw new Error(`${questions[asked % questions.length]} was not looked up`)
      }
      const used = cpuSeconds() - start
      if (used >= seconds) return asked / used
    }
  }
  await ask(0.1)
  return { perCpuSecond: await ask(0.5) }
}

type Loaded = { checkMs: number; loadMs: number; heldUpMs: number; addedMb: number }

/** Loads in a separate process, so that its memory can be measured. */
function loadedApart(kind: 'ours' | 'bare'): Loaded {
  const program = fileURLToPath(import.meta.url)
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', program, kind], { encoding: 'utf8' }))
}

async function load(kind: string): Promise<Loaded> {
  globalThis.gc!()
  const residentBefore = process.memoryUsage.rss()
  const start = performance.now()
  let longestTurnMs = 0
  let turnBegan = start
  const turns = setInterval(() => {
    const now = performance.now()
    longestTurnMs = Math.max(longestTurnMs, now - turnBegan)
    turnBegan = now
  }, 1)
  const lookUp = kind === 'ours' ? open() : undefined
  const checked = performance.now()
  turnBegan = checked
  const bare = lookUp ? await lookUp.load() : readers()
  const loadMs = performance.now() - checked
  clearInterval(turns)
  const heldUpMs = lookUp ? Math.max(longestTurnMs, performance.now() - turnBegan) : loadMs
  globalThis.gc!()
  const addedMb = (process.memoryUsage.rss() - residentBefore) / 1e6
  // Still referenced here, so that the garbage collector keeps them.
  if (!lookUp && !bare) throw new Error('Nothing was loaded')
  if (lookUp) await lookUp.networkOf('8.8.8.8')
  return { checkMs: checked - start, loadMs, heldUpMs, addedMb }
}

if (import.meta.main) {
  const [kind] = process.argv.slice(2)
  if (kind) console.log(JSON.stringify(await load(kind)))
  else for (const table of await run()) console.log(tableText(table))
}
