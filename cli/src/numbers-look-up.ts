// `ringfence numbers status | lookup | explain`: are the imported data in order, and what do they say of a number?

import { systemClock } from '@ringfence/server/core/clock.ts'
import type { PhoneNumber } from '@ringfence/server/phone/phone-number.ts'
import { readPhoneNumber } from '@ringfence/server/phone/read-number.ts'
import { readManifest } from '@ringfence/server/telecom/portability-sources/manifest.ts'
import { openNumberSources } from '@ringfence/server/telecom/portability-sources/number-sources.ts'
import type { PortabilityAnswer, PortabilitySource } from '@ringfence/server/telecom/portability-sources/source.ts'
import { orderSources } from '@ringfence/server/telecom/source-order.ts'
import type { Answer } from './answer.ts'
import { configurationOf, type PlaceOptions } from './configuration.ts'
import { CommandFailed, explain as explainFailure } from './failure.ts'
import { isoTime, minuteText, table, tableOf } from './table.ts'

export const noNumbers = 'There is no number data. Import a file: ringfence numbers import FILE'

/** Fails when the data cannot be opened. */
export async function numberStatus(dataFolder: string): Promise<Answer> {
  const { dataSets, generation } = readManifest(dataFolder)
  const now = systemClock.now()
  const damage = await opened(dataFolder, async () => undefined).catch((error) => explainFailure(error))
  const rows = dataSets.map(({ source, asOf, importedAt, base, increments }) => ({
    source,
    asOf: isoTime(asOf),
    ageSeconds: Math.max(0, Math.floor((now - asOf) / 1000)),
    importedAt: isoTime(importedAt),
    rows: base.rows,
    incrementRows: increments?.rows ?? 0,
  }))
  const head = ['SOURCE', 'AS OF', 'AGE', 'ROWS', 'ROWS OF INCREMENTS']
  const imported = tableOf(rows, noNumbers, head, ({ source, asOf, ageSeconds, rows: base, incrementRows }) => [
    source,
    minuteText(Date.parse(asOf)),
    ageSeconds < 172_800 ? `${Math.floor(ageSeconds / 3600)} h` : `${Math.floor(ageSeconds / 86_400)} days`,
    base.toLocaleString('en'),
    incrementRows.toLocaleString('en'),
  ])
  const failure = damage ? new CommandFailed(damage) : undefined
  return [{ state: damage ?? 'ready', imports: generation, sources: rows }, imported, failure]
}

export async function lookUpNumber(text: string, dataFolder: string): Promise<Answer> {
  const number = numberOf(text)
  const said = await opened(dataFolder, async (sources) =>
    Promise.all(sources.map(async (source) => ({ source: source.name, ...(await ask(source, number)) }))),
  )
  const known = said.filter(({ asOf }) => asOf !== undefined)
  const none = 'No imported data know this number, so whether it was ported is not known from them.'
  return [{ phoneNumber: number.digits, sources: known }, tableOf(known, none, ['SOURCE', 'SAYS', 'AS OF'], cellsOf)]
}

/** In the order of the number's country, with the sources of the configuration, which it does not ask. */
export async function explainNumber(text: string, dataFolder: string, place: PlaceOptions): Promise<Answer> {
  const number = numberOf(text)
  const { portability, portabilitySources } = configurationOf(place)
  const explained = await opened(dataFolder, async (imported) => {
    const remote = Object.keys(portabilitySources).map(
      (name): PortabilitySource => ({ name, lookUp: async () => undefined }),
    )
    const { asked, leftOut, by = 'default' } = orderSources([...imported, ...remote], number.country, portability)
    const sources = await Promise.all(
      [...asked, ...leftOut].map(async (source) => ({
        source: source.name,
        state: leftOut.includes(source) ? 'leftOut' : source.local ? 'read' : 'remote',
        ...(source.local && (await ask(source, number))),
      })),
    )
    return { phoneNumber: number.digits, country: number.country, order: by, sources }
  })
  const order = { country: 'of its country', otherwise: 'otherwise', default: 'imported data first' }[explained.order]
  const rows = explained.sources.map(({ state, ...said }, index) => [
    state === 'leftOut' ? '-' : String(index + 1),
    said.source,
    state === 'remote' ? 'a check asks it; see ringfence routes explain' : cellsOf(said)[1]!,
    state === 'leftOut' ? 'left out by portability in the configuration' : '',
  ])
  const head = `${number.digits}, ${number.country ?? 'no country'}. Order: ${order}. The first that states something counts.`
  const said = rows.length === 0 ? '\nThere is no source.' : `\n\n${table(['ORDER', 'SOURCE', 'SAYS', 'NOTE'], rows)}`
  return [explained, head + said]
}

interface Said extends Partial<Omit<PortabilityAnswer, 'asOf'>> {
  source: string
  asOf?: string
}

async function ask(source: PortabilitySource, number: PhoneNumber): Promise<Omit<Said, 'source'>> {
  const answer = await source.lookUp(number, { signal: new AbortController().signal, correlator: '' })
  return answer ? { ...answer, asOf: isoTime(answer.asOf) } : {}
}

function cellsOf({ source, operator, homeOperator, ported, asOf }: Said): string[] {
  const said = [
    operator === undefined ? [] : `served by ${operator}`,
    homeOperator === undefined ? [] : `allocated to ${homeOperator}`,
    ported === undefined ? [] : ported ? 'ported' : 'not ported',
  ].flat()
  return [
    source,
    said.join(', ') || 'nothing about this number',
    asOf === undefined ? '' : minuteText(Date.parse(asOf)),
  ]
}

async function opened<T>(dataFolder: string, read: (sources: readonly PortabilitySource[]) => Promise<T>): Promise<T> {
  const sources = await openNumberSources({ dataFolder, clock: systemClock, onProblem: () => undefined })
  try {
    return await read(sources.current())
  } finally {
    await sources.close()
  }
}

function numberOf(text: string): PhoneNumber {
  const number = readPhoneNumber(text, text)
  if (typeof number !== 'string') return number
  throw new CommandFailed(number)
}
