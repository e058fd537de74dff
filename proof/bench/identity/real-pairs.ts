// How good are the weights on real browsers? `node proof/bench/identity/real-pairs.ts PAIRS.csv LABELS.csv` judges FP-STALKER's public
// labelled pairs, which no fit has seen. The files are not ours: docs/recognition.md says where they are.

import { readFileSync } from 'node:fs'
import {
  type Component,
  components,
  type Family,
  families,
  place,
} from '../../../server/src/device/identity/components.ts'
import { read } from '../../../server/src/device/identity/confidence.ts'
import { models, mostOtherHardware, otherHardware, outcome } from '../../../server/src/device/identity/score.ts'
import { markdownTable, numbersAfterFirst } from '../../markdown-table.ts'
import { saveBlock } from '../harness/save.ts'
import { curveOf, type Decided } from '../recognition/decided.ts'

/** Columns of the pairs. Each is the similarity of one attribute, 1 when equal; `days` is the time between the visits. */
const column = {
  ...{
    address: 2,
    browser: 3,
    canvas: 4,
    days: 8,
    hasFonts: 12,
    fonts: 13,
    fullVersion: 15,
    languages: 17,
    version: 20,
  },
  ...{ system: 24, platform: 27, plugins: 28, card: 30, screen: 32, zone: 34, agent: 35, vendor: 36 },
} as const

interface Pair {
  readonly values: readonly number[]
  readonly isSame: boolean
}

const rowsOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').slice(1).map(Number))

const compared: Partial<Record<Component, keyof typeof column>> = {
  gpu: 'card',
  canvasText: 'canvas',
  platform: 'platform',
  screen: 'screen',
  fonts: 'fonts',
  plugins: 'plugins',
  languages: 'languages',
  zone: 'zone',
  address: 'address',
  version: 'version',
  fullVersion: 'fullVersion',
}

function outcomesOf({ values }: Pair): Uint8Array {
  const outcomes = new Uint8Array(components.length)
  for (const [name, its] of Object.entries(compared)) {
    if (its === 'fonts' && values[column.hasFonts] !== 1) continue
    outcomes[place[name as Component]] = values[column[its]] === 1 ? outcome.agrees : outcome.differs
  }
  return outcomes
}

const dayMs = 86_400_000
const equal = ({ values }: Pair, ...names: (keyof typeof column)[]) => names.every((name) => values[column[name]] === 1)

/** Undefined: the hard rules exclude it. */
function scoreOf(pair: Pair, family: Family): number | undefined {
  const outcomes = outcomesOf(pair)
  if (!equal(pair, 'browser', 'system') || otherHardware(family, outcomes) > mostOtherHardware) return undefined
  return models[family].score(outcomes, [], pair.values[column.days]! * dayMs)
}

/** The published rules: canvas and fonts the same, at most two changes, and those of text to something similar. */
function fitsFpStalker(pair: Pair): boolean {
  if (!equal(pair, 'browser', 'system', 'platform', 'canvas')) return false
  if (pair.values[column.hasFonts] === 1 && !equal(pair, 'fonts')) return false
  const texts = (['agent', 'vendor', 'card', 'plugins', 'languages'] as const).filter((name) => !equal(pair, name))
  const free = (['screen', 'zone'] as const).filter((name) => !equal(pair, name)).length
  const isSimilar = texts.every((name) => pair.values[column[name]]! > 0.75)
  return isSimilar && texts.length <= 2 && free <= 1 && texts.length + free <= 2
}

const hashed = [
  'browser',
  'system',
  'platform',
  'canvas',
  'card',
  'vendor',
  'screen',
  'plugins',
  'languages',
  'zone',
] as const
const fitsHash = (pair: Pair) => equal(pair, ...hashed) && (pair.values[column.hasFonts] !== 1 || equal(pair, 'fonts'))

const share = (its: readonly Pair[], fits: (pair: Pair) => boolean) => (100 * its.filter(fits).length) / its.length
const text = (value: number) => `${value.toFixed(2)} %`

function judged(same: readonly Pair[], different: readonly Pair[]): string[] {
  const row = (name: string, fits: (pair: Pair) => boolean) => [
    name,
    text(share(same, fits)),
    text(share(different, fits)),
  ]
  /** Of pairs of two devices, at most this part may fit. */
  const wanted = 0.0031
  const rows = (['blink-desktop', 'gecko'] as const).map((family) => {
    const scores = new Map(
      [...same, ...different].map((pair) => [pair, scoreOf(pair, family) ?? Number.NEGATIVE_INFINITY]),
    )
    const wrong = different.map((pair) => scores.get(pair)!).sort((a, b) => b - a)
    const limit = wrong[Math.floor(wanted * wrong.length)]!
    return row(`weights of ${family}`, (pair) => scores.get(pair)! > limit)
  })
  return markdownTable(
    ['', 'one browser: found', 'two browsers: merged'],
    [...rows, row('rules of FP-STALKER', fitsFpStalker), row('equal hash of lasting facts', fitsHash)],
    numbersAfterFirst,
  )
}

/** Half of the pairs make the curve from score to confidence; the other half checks it. */
function reliability(pairs: readonly Pair[], family: Family): string[] {
  const decisions = pairs.flatMap((pair): Decided[] => {
    const logOdds = scoreOf(pair, family)
    return logOdds === undefined ? [] : [{ kind: 'known', logOdds, isRight: pair.isSame, weight: 1 }]
  })
  const curve = curveOf(decisions.filter((_, index) => index % 2 === 0))
  const others = decisions
    .filter((_, index) => index % 2 === 1)
    .map((one) => ({ ...one, said: read(curve, one.logOdds) }))
  const bounds = [0, 0.5, 0.9, 0.95, 0.99, 1.01]
  const rows = bounds.slice(1).map((to, index) => {
    const its = others.filter(({ said }) => said >= bounds[index]! && said < to)
    const mean = (of: (one: (typeof its)[number]) => number) =>
      its.reduce((sum, one) => sum + of(one), 0) / (its.length || 1)
    const right = mean(({ isRight }) => (isRight ? 1 : 0))
    return [
      `${bounds[index]} to ${Math.min(1, to)}`,
      `${its.length}`,
      text(100 * mean(({ said }) => said)),
      text(100 * right),
    ]
  })
  return markdownTable(['said', 'pairs', 'said, on average', 'right'], rows, numbersAfterFirst)
}

if (import.meta.main) {
  const [pairsFile, labelsFile] = process.argv.slice(2)
  if (!pairsFile || !labelsFile) throw new Error('name the files of pairs and of labels')
  const labels = rowsOf(labelsFile)
  const pairs = rowsOf(pairsFile).map((values, index): Pair => ({ values, isSame: labels[index]![0] === 1 }))
  const [same, different] = [pairs.filter(({ isSame }) => isSame), pairs.filter(({ isSame }) => !isSame)]
  const lines = [
    `${same.length} pairs of one browser, ${different.length} of two.`,
    '',
    ...judged(same, different),
    '',
    ...reliability(pairs, families[0]),
  ]
  console.log(lines.join('\n'))
  if (process.argv.includes('--save')) saveBlock('docs/recognition.md', 'real-pairs', [...lines, ''])
}
