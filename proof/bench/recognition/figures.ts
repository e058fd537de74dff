// Is the simulated population like the real one? `node proof/bench/recognition/figures.ts` prints its figures beside the public ones.

import type { WebFacts } from '@ringfence/contract'
import { saveBlock } from '../harness/save.ts'
import type { SimulatedDevice, Visit } from './device.ts'
import { panelMix } from './mix.ts'
import { makePopulation } from './population.ts'
import { randomOf } from './random.ts'
import { fittingRates } from './rates.ts'

export interface Figure {
  readonly what: string
  readonly published: number
  readonly simulated: number
  /** Largest accepted ratio between the two. */
  readonly tolerance: number
  readonly unit: 'values' | '%' | 'per million pairs'
}

type Attribute = (facts: WebFacts) => unknown

/** Firefox began to add noise to drawings after these figures were published. */
const isFirefox = ({ userAgent = '' }: WebFacts) => userAgent.includes('Firefox/')

/** Number of values in 8,400 browsers, and per cent of browsers whose value nobody else has: Berke et al., PETS 2025. */
const spread: Record<string, readonly [of: Attribute, values: number, unique: number]> = {
  'user agent': [({ userAgent }) => userAgent, 434, 2.8],
  languages: [({ languages }) => languages, 264, 2.4],
  'time zone': [({ timezone }) => timezone, 49, 0.2],
  screen: [({ screen }) => [screen?.width, screen?.height], 572, 4.5],
  'graphics card': [({ webgl }) => webgl?.renderer, 654, 3.2],
  'client hints': [
    ({ clientHints: its }) => [its?.architecture, its?.model, its?.platform, its?.platformVersion],
    903,
    6.4,
  ],
  fonts: [({ fonts }) => fonts, 555, 4.7],
  'plug-ins': [({ plugins }) => plugins, 214, 2.4],
  'canvas: text': [(facts) => !isFirefox(facts) && facts.canvas?.text, 951, 7.9],
  'canvas: shapes': [(facts) => !isFirefox(facts) && facts.canvas?.geometry, 522, 4.9],
}

/** Berke's 13: all that the masked WebGL names and the colour depth add to these is below 0.1 % of browsers. */
const thirteen: Attribute = (facts) => [
  facts.userAgent,
  facts.languages,
  facts.timezone,
  facts.screen?.width,
  facts.screen?.height,
  facts.screen?.colorDepth,
  facts.platform,
  facts.maxTouchPoints,
  facts.hardwareConcurrency,
  Math.min(8, facts.deviceMemory ?? 0),
  facts.webgl?.vendor,
  facts.webgl?.renderer,
]

/** What neither time nor an update changes. */
const stable: Attribute = ({
  userAgent: _,
  clientHints,
  windowGeometry: __,
  audio: ___,
  math: ____,
  codecs: _____,
  ...facts
}) => [
  thirteen({ ...facts, webgl: { vendor: facts.webgl?.vendor ?? '', renderer: facts.webgl?.renderer ?? '' } }),
  clientHints?.architecture,
  facts.canvas?.text,
  facts.canvas?.geometry,
  facts.fonts,
  facts.plugins,
]

/** Per cent of pairs nine days apart that differ: FP-STALKER's public pairs. */
const changes: Record<string, readonly [of: (visit: Visit) => unknown, perCent: number]> = {
  'IP address': [({ address }) => address, 31.5],
  screen: [({ facts: { screen } }) => [screen?.width, screen?.height], 14],
  canvas: [({ facts }) => facts.canvas?.text, 4.8],
  'time zone': [({ facts }) => facts.timezone, 5.1],
  'graphics card': [({ facts }) => facts.webgl?.renderer, 1.1],
  languages: [({ facts }) => facts.languages, 0.6],
}

const panel = 8_400
const seed = 19_990

/** All figures; each row says how far it may be from the public one. */
export function figuresOf(rates = fittingRates): Figure[] {
  const clean = { ...rates, missing: 0, slowVisits: 0 }
  const population = makePopulation(panel, seed, { ...clean, fleet: 0, images: 0, households: 0 }, panelMix)
  const random = randomOf(seed)
  const devices = Array.from({ length: panel }, () => population.newDevice())
  const days = devices.map(() => random.below(28))
  const visits = devices.map((device, index) => device.visit(days[index]!))
  const facts = visits.map((visit) => visit.facts)
  return [
    ...uniqueness(facts),
    ...Object.entries(spread).flatMap(([what, [of, values, unique]]): Figure[] => {
      const all = counted(facts, of)
      return [
        { what: `${what}: values`, published: values, simulated: all.size, tolerance: 1.35, unit: 'values' },
        { what: `${what}: unique`, published: unique, simulated: uniquePart(all, panel), tolerance: 1.5, unit: '%' },
      ]
    }),
    twins(devices, facts),
    ...changesIn(devices, visits, days),
  ]
}

function counted(facts: readonly WebFacts[], of: Attribute): Map<string, number> {
  const all = new Map<string, number>()
  for (const one of facts) {
    const text = JSON.stringify(of(one)) ?? ''
    all.set(text, (all.get(text) ?? 0) + 1)
  }
  return all
}

const uniquePart = (all: ReadonlyMap<string, number>, size: number) =>
  (100 * [...all.values()].filter((count) => count === 1).length) / size

function uniqueness(facts: readonly WebFacts[]): Figure[] {
  const published = { 8400: 60.2, 600: 87.9, 200: 94.2 }
  return Object.entries(published).map(([size, perCent]) => {
    const its = Number(size)
    const groups = Array.from({ length: Math.floor(panel / its) }, (_, index) =>
      facts.slice(index * its, (index + 1) * its),
    )
    const parts = groups.map((group) => uniquePart(counted(group, thirteen), its))
    const simulated = parts.reduce((sum, one) => sum + one, 0) / parts.length
    return { what: `unique by 13 attributes, of ${its}`, published: perCent, simulated, tolerance: 1.05, unit: '%' }
  })
}

/** Identical devices: pairs of Chrome on Windows that are equal in everything stable. */
function twins(devices: readonly SimulatedDevice[], facts: readonly WebFacts[]): Figure {
  const windows = facts.filter((_, index) => devices[index]!.kind === 'windowsChrome')
  const equal = [...counted(windows, stable).values()].reduce((sum, count) => sum + count * (count - 1), 0)
  const simulated = (1e6 * equal) / (windows.length * (windows.length - 1))
  return {
    what: 'pairs of Windows equal in everything stable',
    published: 99,
    simulated,
    tolerance: 1.3,
    unit: 'per million pairs',
  }
}

/** FP-STALKER's volunteers used desktops. */
function changesIn(devices: readonly SimulatedDevice[], before: readonly Visit[], days: readonly number[]): Figure[] {
  const desktops = devices.flatMap((device, index) =>
    device.kind === 'iphone' || device.kind === 'androidChrome' || device.kind.endsWith('Firefox') ? [] : [index],
  )
  const after = new Map(desktops.map((index) => [index, devices[index]!.visit(days[index]! + 9)]))
  return Object.entries(changes).map(([what, [of, published]]) => {
    const differing = desktops.filter(
      (index) => JSON.stringify(of(before[index]!)) !== JSON.stringify(of(after.get(index)!)),
    )
    const simulated = (100 * differing.length) / desktops.length
    return { what: `${what}: differs after nine days`, published, simulated, tolerance: 1.35, unit: '%' }
  })
}

const isWithin = ({ published, simulated, tolerance }: Figure) =>
  Math.max(published / simulated, simulated / published) <= tolerance

/** As a table in Markdown. */
function figuresText(figures: readonly Figure[]): string {
  const short = (value: number) => String(Number(value.toPrecision(3)))
  return [
    '| figure | unit | published | simulated | accepted |',
    '| --- | --- | ---: | ---: | --- |',
    ...figures.map((its) => {
      const { what, unit, published, simulated, tolerance } = its
      const limits = `± ${Math.round(100 * (tolerance - 1))} %: ${isWithin(its) ? 'yes' : '**no**'}`
      return `| ${what} | ${unit} | ${short(published)} | ${short(simulated)} | ${limits} |`
    }),
  ].join('\n')
}

if (import.meta.main) {
  const text = figuresText(figuresOf())
  console.log(text)
  if (process.argv.includes('--save')) saveBlock('docs/recognition.md', 'population', [text, ''])
}
