// Does "not ported" ever contradict a source? Every combination of imported files, ENUM, a vendor and prefix data, over their real doors.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { decode, encode } from 'dns-packet'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { knownOfNumber } from './known-answers.ts'
import { importNumbers } from './portability-sources/import-numbers.ts'
import { allocationFile, portedFile, testNumbers } from './portability-sources/test-numbers.ts'

/** What one source states. */
interface Statement {
  readonly operator?: string
  readonly home?: string
  readonly ported?: boolean
}

const kpn = '204-08'
const vodafone = '204-04'
const names: Record<string, string> = { [kpn]: 'KPN', [vodafone]: 'VODAFONE' }

/** The first digits of numbers, whose carrier libphonenumber has as KPN, as Vodafone, or not at all. */
const prefixes = { 31612: kpn, 31615: vodafone, 31660: undefined }
type Prefix = keyof typeof prefixes

const file: (Statement & { row?: string })[] = [
  {},
  { operator: kpn, ported: true, row: `${kpn},2024-03-01,port` },
  { operator: vodafone, ported: true, row: `${vodafone},,port` },
  { ported: false, row: ',,return' },
  // Not listed in a range for which the file is complete.
  { ported: false },
]
const COMPLETE = 4
const ranges: Statement[] = [{}, { home: kpn }, { home: vodafone }]
/** With a home operator by the configured prefixes. */
const enumZone: (Statement & { uri?: string; saysNpdi?: boolean })[] = [
  {},
  { ported: false, uri: 'tel:\\1;npdi' },
  { ported: true, operator: vodafone, uri: 'tel:\\1;npdi;rn=04' },
  { ported: true, operator: kpn, uri: 'tel:\\1;npdi;rn=08' },
  { operator: kpn, saysNpdi: true, uri: 'tel:\\1;npdi;spn=31008' },
  { operator: vodafone, uri: 'tel:\\1;spn=31004' },
]
const vendor: Statement[] = [
  {},
  { ported: true },
  { ported: false },
  { operator: vodafone, ported: true },
  { operator: kpn },
  { operator: vodafone, home: kpn },
  { operator: kpn, home: kpn, ported: false },
  { operator: vodafone, home: vodafone, ported: true },
  { operator: kpn, home: vodafone, ported: true },
]

/** A number says by its digits what each source states about it. */
const combinations = Object.keys(prefixes).flatMap((prefix) =>
  file.flatMap((_, f) =>
    ranges.flatMap((_, r) =>
      enumZone.flatMap((_, e) => vendor.map((_, v) => ({ prefix, f, r, e, v, digits: `${prefix}${f}${r}${e}${v}00` }))),
    ),
  ),
)

function statementsOf(digits: string): Record<'file' | 'ranges' | 'enum' | 'vendor', Statement> {
  const [f, r, e, v] = [...digits.slice(5, 9)].map(Number) as [number, number, number, number]
  const zone = enumZone[e]!
  const home = zone.uri === undefined ? undefined : prefixes[Number(digits.slice(0, 5)) as Prefix]
  const changed = zone.saysNpdi && home !== undefined && { ported: zone.operator !== home }
  return {
    file: file[f]!,
    ranges: ranges[r]!,
    enum: { ...zone, ...(home !== undefined && { home }), ...changed },
    vendor: vendor[v]!,
  }
}

async function startZone(t: TestContext, onAsked: (digits: string) => void): Promise<string> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  socket.on('message', (bytes, { port, address }) => {
    const query = decode(bytes)
    const { name } = query.questions![0]!
    const digits = name.split('.').slice(0, -2).reverse().join('')
    onAsked(digits)
    const { uri } = enumZone[Number(digits[7])]!
    const data = {
      order: 1,
      preference: 1,
      flags: 'u',
      services: 'E2U+pstn:tel',
      regexp: `!^(.*)$!${uri}!`,
      replacement: '',
    }
    const answers = uri === undefined ? [] : [{ type: 'NAPTR' as const, name, ttl: 60, data }]
    const flags = 0x8400 | (uri === undefined ? 3 : 0)
    socket.send(encode({ type: 'response', id: query.id!, flags, questions: query.questions!, answers }), port, address)
  })
  return `127.0.0.1:${socket.address().port}`
}

async function startVendor(t: TestContext, onAsked: (digits: string) => void): Promise<string> {
  const server = createServer(({ url }, response) => {
    const digits = url!.slice(1)
    onAsked(digits)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(vendor[Number(digits[8])]))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function importAll(t: TestContext): Promise<string> {
  const { dataFolder, clock } = testNumbers(t)
  const rows = combinations.flatMap(({ digits, f }) =>
    file[f]!.row === undefined ? [] : [`${digits},${file[f]!.row}`],
  )
  const complete = Object.keys(prefixes).map((prefix) => `${prefix}${COMPLETE}`)
  const allocated = Object.keys(prefixes).flatMap((prefix) =>
    file.flatMap((_, f) =>
      ranges.flatMap(({ home }, r) => (home === undefined ? [] : [`${prefix}${f}${r},${home},MOBILE`])),
    ),
  )
  for (const text of [
    portedFile(rows, { source: 'nl-ported', complete: complete.join(' ') }),
    allocationFile(allocated),
  ]) {
    const csv = path.join(dataFolder, 'import.csv')
    fs.writeFileSync(csv, text)
    await importNumbers({ file: csv, dataFolder, clock })
  }
  return dataFolder
}

/** What an answer must not be, given what the sources that were asked state. */
function contradiction(
  said: { operator?: string; homeOperator?: string; isPorted?: boolean },
  asked: readonly Statement[],
) {
  const { operator, homeOperator, isPorted } = said
  const homes = new Set(asked.map(({ home }) => home).filter((home) => home !== undefined))
  const away = asked.filter((one) => one.ported && !(one.operator !== undefined && homes.has(one.operator)))
  const back = asked.filter((one) => one.ported && one.operator !== undefined && homes.has(one.operator))
  const not = asked.filter((one) => one.ported === false)
  if (isPorted === false) {
    if (not.length + back.length === 0) return 'not ported, which no source says'
    if (away.length > 0) return 'not ported, against a source'
    if (operator !== undefined && homeOperator !== undefined && operator !== homeOperator)
      return 'not ported, but not at home'
  }
  if (isPorted === true) {
    if (away.length + back.length === 0) return 'ported, which no source says'
    if (operator !== undefined && operator === homeOperator) return 'ported, but at home'
  }
  if (isPorted === undefined) {
    if (not.length === 0 && away.length + back.length > 0) return 'a port that is left out'
    const serving = asked.flatMap((one) => one.operator ?? [])
    const isContradicted = serving.some((one) => [...homes].some((home) => home !== one))
    if (not.length > 0 && away.length + back.length === 0 && !isContradicted) return 'not ported, which is left out'
  }
  return undefined
}

for (const [title, order] of [
  ['imported files, ENUM, vendor', ['imported', 'zone', 'vendor']],
  ['vendor, ENUM, imported files', ['vendor', 'zone', 'imported']],
] as const) {
  test(`"not ported" never contradicts a source, whatever the others state, in the order ${title}`, async (t) => {
    const asked = new Map<string, Set<keyof ReturnType<typeof statementsOf>>>()
    const note = (source: 'file' | 'ranges' | 'enum' | 'vendor') => (digits: string) => {
      asked.set(digits, (asked.get(digits) ?? new Set()).add(source))
    }
    const [zone, api] = [await startZone(t, note('enum')), await startVendor(t, note('vendor'))]
    const service = await startTestService(t, await sqliteDatabases.open(t), {
      settings: { dataFolder: await importAll(t), clientRatePerSecond: 1_000_000, overloadDelayMs: 60_000 },
      edit: (parts) => ({
        ...parts,
        operators: [
          { id: kpn, name: 'KPN', country: 'NL' },
          { id: vodafone, name: 'VODAFONE', country: 'NL', aliases: ['Vodafone Libertel B.V.'] },
        ],
        connectors: {
          vendor: {
            type: 'http',
            baseUrl: api,
            timeoutMs: 15_000,
            operator: {
              path: '/{digits}',
              answer: { operator: '$.operator', homeOperator: '$.home', ported: '$.ported' },
              samples: [{ response: { ported: true }, answer: { ported: true } }],
            },
          } as { type: string },
        },
        portabilitySources: {
          zone: {
            type: 'enum',
            zone: 'e164.test',
            servers: [zone],
            timeoutMs: 10_000,
            rn: { '04': vodafone, '08': kpn },
            spn: { 31004: vodafone, 31008: kpn },
            home: Object.fromEntries(Object.entries(prefixes).filter(([, home]) => home !== undefined)),
          } as { type: string },
          vendor: { type: 'connector', connector: 'vendor' } as { type: string },
        },
        portability: { countries: { NL: [...order] } },
      }),
    })
    const { telecom } = service.parts
    for (const source of await telecom.operators.sources()) {
      if (!source.local) continue
      const lookUp = source.lookUp.bind(source)
      source.lookUp = (number, inquiry) => {
        note(source.name === 'nl-ported' ? 'file' : 'ranges')(number.digits)
        return lookUp(number, inquiry)
      }
    }

    const wrong: string[] = []
    const counts = { ported: 0, notPorted: 0, notKnown: 0 }
    const judge = (digits: string, said: object, how: string, sources: Set<string> | undefined) => {
      const statements = Object.entries(statementsOf(digits)).filter(([source]) => sources?.has(source))
      const found = contradiction(
        said,
        statements.map(([, statement]) => statement),
      )
      if (found) wrong.push(`${digits} ${how}: ${found}\n  ${JSON.stringify(said)} of ${JSON.stringify(statements)}`)
    }
    /** With operators by their ids, as sources state them. */
    const idsOf = ({
      operator,
      homeOperator,
      isPorted,
    }: {
      operator?: string
      homeOperator?: string
      isPorted?: boolean
    }) => {
      const idOf = (token?: string) => Object.keys(names).find((id) => names[id] === token) ?? token
      const ids = { operator: idOf(operator), homeOperator: idOf(homeOperator), isPorted }
      return Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== undefined))
    }
    const byPrefix = new Map<string, unknown>()
    const numbers = combinations.values()
    const work = async () => {
      for (const { digits, e, v } of numbers) {
        const ask = async () => (await service.post('/v1/telecom/portability', { phoneNumber: digits })).body
        const first = await ask()
        assert.equal(first.success, 'isPorted' in first.phoneDetail, digits)
        const said = idsOf(first.phoneDetail)
        judge(digits, said, 'asked', asked.get(digits))
        counts[said.isPorted === undefined ? 'notKnown' : said.isPorted ? 'ported' : 'notPorted']++
        // Prefix data change neither; ENUM has its own home operators for them.
        if (e === 0) {
          const rest = digits.slice(5)
          const same = JSON.stringify([said.operator, said.isPorted])
          if ((byPrefix.get(rest) ?? same) !== same)
            wrong.push(`${digits}: ${same}, but ${byPrefix.get(rest)} elsewhere`)
          byPrefix.set(rest, same)
        }
        assert.deepEqual((await ask()).phoneDetail, first.phoneDetail, `${digits} from stored answers`)
        // ENUM keeps its answers itself; those of the vendor are stored in the background.
        asked.get(digits)?.delete('enum')
        const isStored = async () => (await telecom.answers.known(service.tenantId, digits, undefined)).length > 0
        if (asked.get(digits)?.has('vendor') && v > 0) while (!(await isStored())) await turn()
        const known = await knownOfNumber(digits, { tenantId: service.tenantId, consent: undefined }, service.parts)
        judge(digits, idsOf(known!.phoneDetail), 'recalled', asked.get(digits))
        assert.equal(known!.portability?.ported, known!.phoneDetail.isPorted, digits)
      }
    }
    await Promise.all(Array.from({ length: 16 }, work))
    assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${combinations.length} numbers`)
    for (const [answer, count] of Object.entries(counts)) assert.ok(count > 100, `${answer}: ${count}`)
  })
}
