// How is the house built? `npm run structure` prints its figures; `npm run structure -- against` each import against the order of rooms.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importsOf, knots } from './structure/import-circles.ts'
import { roomOf, rooms } from './structure/rooms.ts'

const root = join(import.meta.dirname, '..')
const packages = [
  'contract',
  'server',
  'sandbox',
  'node',
  'testing',
  'browser',
  'react-native',
  'cli',
  'console',
  'examples',
]
const programs = ['proof', 'scripts']
const longestFunction = 80

export interface Import {
  readonly from: string
  readonly to: string
}

/** The TypeScript of a folder that somebody wrote, without tests, relative to the repository. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => join(folder, file))
    .filter((file) => !text(file).startsWith('// Generated'))
}

const text = (file: string): string => readFileSync(join(root, file), 'utf8')

/** All imports between files of the server, of types too, without what only tests use. */
export function importsOfServer(): Import[] {
  const files = new Set(sourcesIn('server/src').filter((file) => !/\/(testing|testdata)(\/|\.ts$)/.test(file)))
  const ofFile = (from: string): Import[] =>
    importsOf(from, text(from))
      .filter((to) => files.has(to))
      .map((to) => ({ from, to }))
  return [...files].flatMap(ofFile)
}

/** Imports from a room that comes later in the order. */
export const importsAgainstOrder = (imports: readonly Import[]): Import[] =>
  imports.filter(({ from, to }) => rooms.indexOf(roomOf(to)) > rooms.indexOf(roomOf(from)))

const targetsOf = (imports: readonly Import[]): Map<string, string[]> =>
  new Map([...Map.groupBy(imports, ({ from }) => from)].map(([from, each]) => [from, each.map(({ to }) => to)]))

/** How many files a file reaches through imports, of types too. */
function reach(file: string, targets: ReadonlyMap<string, readonly string[]>): number {
  const seen = new Set([file])
  for (const each of seen) for (const next of targets.get(each) ?? []) seen.add(next)
  return seen.size - 1
}

/** The arrows between rooms, each once. */
function arrowsOf(imports: readonly Import[]): Import[] {
  const arrows = new Map<string, Import>()
  for (const each of imports) {
    const [from, to] = [roomOf(each.from), roomOf(each.to)]
    if (from !== to) arrows.set(`${from} ${to}`, { from, to })
  }
  return [...arrows.values()]
}

/** The longest way down from a room, by arrows that follow the order. */
function floorsOf(arrows: readonly Import[]): number {
  const floors = new Map<string, number>()
  for (const room of rooms) {
    const below = arrows.filter(({ from, to }) => from === room && rooms.indexOf(to) < rooms.indexOf(room))
    floors.set(room, 1 + Math.max(0, ...below.map(({ to }) => floors.get(to)!)))
  }
  return Math.max(...floors.values())
}

/** Where functions with more than 80 lines stand, without tests: `file:line`. Biome counts. */
function longFunctions(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'ringfence-structure-'))
  try {
    const rule = { level: 'error', options: { maxLines: longestFunction } }
    const rules = { preset: 'none', complexity: { noExcessiveLinesPerFunction: rule } }
    writeFileSync(
      join(folder, 'biome.json'),
      JSON.stringify({ root: true, files: { includes: ['**', '!**/dist'] }, linter: { rules } }),
    )
    const said = spawnSync(
      join(root, 'node_modules/.bin/biome'),
      ['lint', `--config-path=${folder}`, '--reporter=json', '--max-diagnostics=none', ...packages, ...programs],
      { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 },
    )
    const { diagnostics } = JSON.parse(said.stdout) as {
      diagnostics: { category: string; location: { path: string; start: { line: number } } }[]
    }
    return diagnostics
      .filter(({ category }) => category.endsWith('/noExcessiveLinesPerFunction'))
      .map(({ location }) => `${location.path}:${location.start.line}`)
      .filter((place) => !/\.test\.tsx?:/.test(place))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const mostInnerFunctions = 3

/**
 * Where functions with more than three named functions of their own stand, without tests: `file:line`. They are classes in disguise.
 * Read from the indentation, which the formatter guarantees.
 */
function factories(): string[] {
  return [...packages, ...programs].flatMap(sourcesIn).flatMap((file) => {
    const found: string[] = []
    let [begins, inner] = [0, 0]
    for (const [index, line] of text(file).split('\n').entries()) {
      if (/^(export )?(async )?function\b|^(export )?const \w+ = (async )?\(/.test(line))
        [begins, inner] = [index + 1, 0]
      if (/^ {2}((async )?function\*? \w|const \w+ = (async )?(<.*>)?\(.*=>( \{)?$)/.test(line)) inner++
      if (/^[})]/.test(line) && inner > mostInnerFunctions) found.push(`${file}:${begins}`)
      if (/^[})]/.test(line)) inner = 0
    }
    return found
  })
}

/** Members of an interface that is written out in a file: its lines `  name: …` and `  name(…): …`. */
function membersOf(file: string, name: string): number {
  const body = new RegExp(`^export interface ${name} \\{$([^]*?)^\\}$`, 'm').exec(text(file))?.[1] ?? ''
  return body.match(/^ {2}(readonly )?\w+\??[:(<]/gm)?.length ?? 0
}

function figures(): [name: string, figure: number, goal: string][] {
  const imports = importsOfServer()
  const arrows = arrowsOf(imports)
  const files = [...packages, ...programs].flatMap(sourcesIn)
  const lines = (counted: readonly string[]): number =>
    counted.reduce((sum, file) => sum + text(file).split('\n').length - 1, 0)
  const handlers = imports.filter(({ to }) => /\/(call|check-call)\.ts$/.test(to)).map(({ from }) => from)
  const targets = targetsOf(imports)
  const inKnots = knots(rooms, (room) => arrows.filter(({ from }) => from === room).map(({ to }) => to)).flat()
  return [
    ['lines of TypeScript without tests', lines(files), '≤ 150,000'],
    ['files of TypeScript without tests', files.length, ''],
    ['rooms of the server', rooms.length, ''],
    ['arrows between rooms', arrows.length, ''],
    ['arrows against the order', importsAgainstOrderOfRooms(arrows), '0'],
    ['imports against the order', importsAgainstOrder(imports).length, '0'],
    ['rooms in a knot', inKnots.length, '0'],
    ['floors', floorsOf(arrows), '≤ 9'],
    ['files that the widest handler sees', Math.max(...handlers.map((file) => reach(file, targets))), '≤ 120'],
    [
      'files that sign-in/tokens/validate-token.ts sees',
      reach('server/src/sign-in/tokens/validate-token.ts', targets),
      '≤ 120',
    ],
    ['members of Core', membersOf('server/src/core/core.ts', 'Core'), '≤ 7'],
    ['functions over 80 lines', longFunctions().length, '0'],
    ['functions with over three inner functions', factories().length, '0'],
  ]
}

const importsAgainstOrderOfRooms = (arrows: readonly Import[]): number =>
  arrows.filter(({ from, to }) => rooms.indexOf(to) > rooms.indexOf(from)).length

if (import.meta.main) {
  const wanted = process.argv[2]
  if (wanted === 'against')
    for (const { from, to } of importsAgainstOrder(importsOfServer())) console.log(`${from} → ${to}`)
  else if (wanted === 'long') console.log([...longFunctions(), ...factories()].join('\n'))
  else
    for (const [name, figure, goal] of figures())
      console.log(`${name.padEnd(42)}${String(figure).padStart(8)}   ${goal}`)
}
