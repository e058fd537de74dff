// `npm run scenarios -- [NAME …] [--record] [--save]`: opens real browsers in many conditions, with ours and open libraries.

import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { saveBlock } from '../bench/harness/save.ts'
import {
  type Circumstance,
  type ConditionAgain,
  circumstances,
  conditionsAgain,
  dayBeforeOf,
  isRecorded,
  strangersAgain,
} from './circumstances.ts'
import { type Condition, conditions, strangers } from './conditions.ts'
import { heldOut } from './held-out.ts'
import { type Identity, openIdentity } from './identity.ts'
import { disappointments, verdictsOf } from './judge.ts'
import { scenarios } from './list.ts'
import { advice, lacking, screenProgram } from './machine.ts'
import { unpackOldVersions } from './old-versions.ts'
import { programs } from './people.ts'
import { openPlay, type Play, type Played } from './play.ts'
import { failuresOf, type Results, reportOf, summary } from './report.ts'
import type { Again, Judged, Known } from './results.ts'
import { type Expectation, ordinary, type Scenario } from './scenario.ts'
import { whyNotSlow } from './slow-machine.ts'
import { gzipBytesOfAll, timesIn } from './timing.ts'

const names = [...scenarios, ...heldOut, ...conditions, ...strangers, ...conditionsAgain, ...strangersAgain].map(
  ({ name }) => name,
)
const groups = circumstances.map(({ name }) => `@${name}`)
const usage = `npm run scenarios -- [NAME … | @CIRCUMSTANCE …] [--record] [--reasons] [--save]

Opens each browser of this machine as each scenario says, on a screen that nobody sees, with a page that runs the SDK against the
service and asks open libraries too. Without a name: all, with the table beside the libraries; an hour or so. @CIRCUMSTANCE runs
all conditions in that circumstance: ${groups.join(', ')}.
--record keeps what was sent in scenarios and in updates as recordings, over which npm test runs; --reasons prints why; --save puts
the tables into docs/scenarios.md. The exit code is 1 when anything is otherwise than expected.
`
const recordings = new URL('../../server/src/device/testdata/recordings/', import.meta.url)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: 'boolean', default: false },
    reasons: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const unknown = positionals.find((name) => !names.includes(name) && !groups.includes(name))
if (values.help || unknown !== undefined) {
  if (unknown !== undefined) console.error(`There is no scenario ${unknown}.\n`)
  console.log(`${usage}\n${names.map((name) => `  ${name}`).join('\n')}`)
  process.exit(unknown === undefined ? 0 : 2)
}
const lacked = lacking()
if (lacked.length > 0) console.error(`${advice(lacked)}\n`)
if (lacked.includes(screenProgram)) process.exit(2)

const skipped: string[] = []
const isWanted = ({ name }: { name: string }) =>
  positionals.length === 0 || positionals.includes(name) || positionals.includes(name.replace(/^[^@]*/, ''))
const isEverything = positionals.length === 0
await using ending = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void ending.disposeAsync().finally(() => process.exit(1)))
}
const play = await openPlay({ asksLibraries: true })
ending.defer(() => play.close())
const old = [...conditions, ...conditionsAgain].some((one) => needsOld(one) && isWanted(one))
  ? await unpackOldVersions((line) => console.error(line))
  : { remove: async () => {} }
ending.defer(() => old.remove())
const identity = openIdentity(play, old)

const judged = await ofEach(scenarios, (scenario) => outcomeOf(scenario, play))
const judgedHeldOut = await ofEach(heldOut, (scenario) => outcomeOf(scenario, play))
const known = await ofEach(conditions, (condition) => recognised(condition, identity))
const others = await ofEach(strangers, (condition) => recognised(condition, identity))
const again: Again[] = []
for (const circumstance of circumstances) {
  const isIts = (one: ConditionAgain) => one.circumstance === circumstance
  const its = await ofEach(conditionsAgain.filter(isIts), (condition) => recognised(condition, identity))
  const strange = await ofEach(strangersAgain.filter(isIts), (condition) => recognised(condition, identity))
  const conditions = its.map(([one]) => one)
  again.push({
    circumstance,
    conditions,
    visits: its.map(([, visit]) => visit),
    strangers: strange.map(([one]) => one),
  })
}
const results = {
  scenarios: judged,
  heldOut: judgedHeldOut,
  conditions: known.map(([one]) => one),
  conditionVisits: known.map(([, visit]) => visit),
  strangers: others.map(([one]) => one),
  again,
  areBrowsersApart: !isEverything || (await areBrowsersApart(identity)),
  skipped,
}
const failures = failuresOf(results)
if (isEverything) {
  const times: Record<string, Results['times'][string]> = {}
  for (const name of ['chromium', 'firefox'] as const) {
    if (lacking([programs[name]]).length === 0) times[name] = await timesIn(name, play)
  }
  const whole: Results = { ...results, times, gzipBytes: await gzipBytesOfAll() }
  console.log(['', ...summary(whole)].join('\n'))
  if (values.save) saveBlock('docs/scenarios.md', 'scenarios', reportOf(whole))
}
if (failures.length > 0) {
  console.log(`\nNot as expected:\n${failures.map((line) => `- ${line}`).join('\n')}`)
  process.exitCode = 1
}

/** Runs the scenarios one after the other; a failure is printed, and left out of the results. */
async function ofEach<One extends { name: string }, Result>(
  list: readonly One[],
  resultOf: (one: One) => Promise<Result | undefined>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const one of list.filter(isWanted)) {
    try {
      const result = await resultOf(one)
      if (result) results.push(result)
    } catch (error) {
      skipped.push(`\`${one.name}\`: ${(error as Error).message}`)
      show(one.name, `FAILED: ${(error as Error).message}`)
    }
  }
  return results
}

async function outcomeOf(scenario: Scenario, { run }: Play): Promise<Judged | undefined> {
  const { name, kind, expected, needs } = scenario
  const missing = lacking(needs)
  if (missing.length > 0) {
    skipped.push(`\`${name}\`: ${advice(missing)}`)
    show(name, `skipped: ${advice(missing)}`)
    return undefined
  }
  const played = await run(scenario)
  const { told, judgement } = played
  const wrong = disappointments(expected, judgement)
  if (values.record) await record(scenario, played)
  const said = Object.entries(verdictsOf(judgement)).map(([name, verdict]) => `${name} ${verdict ?? '–'}`)
  show(name, `${said.join(', ')}; ${told.tookMs} ms, longest task ${Math.round(told.longestTaskMs)} ms`)
  if (values.reasons) console.log(`    ${JSON.stringify(judgement.reasons)}`)
  for (const line of wrong) console.log(`    WRONG: ${line}`)
  return { name, kind, expected, judgement, opinions: told.opinions, wrong }
}

type Circumstanced = Condition & { readonly circumstance?: Circumstance }

async function recognised(condition: Circumstanced, { recognise }: Identity): Promise<[Known, Judged] | undefined> {
  const { name, kind, browser, isUpdated, circumstance } = condition
  const reason = circumstance?.isSlow ? whyNotSlow() : undefined
  if (reason !== undefined) {
    skipped.push(`\`${name}\`: ${reason}`)
    show(name, `skipped: ${reason}`)
    return undefined
  }
  const one = await recognise(condition)
  if (!one) {
    skipped.push(`\`${name}\`: its browser, or an older version of it, is not available`)
    show(name, 'skipped: its browser, or an older version of it, is not available')
    return undefined
  }
  const { kept, keptCleared, isByToken, changes, judgement, told, toldBefore } = one
  const word = (isKept: boolean) => (isKept ? 'same id' : 'another id')
  const by = isByToken ? ' by its token' : ''
  const took = circumstance?.isSlow ? `; ${told.tookMs} ms` : ''
  show(name, `${word(kept)}${by}, cleared: ${word(keptCleared)}; changed: ${changes.join(', ') || 'nothing'}${took}`)
  const expected = expectedOf(kind, circumstance)
  const wrong = disappointments(expected, judgement)
  if (values.reasons) console.log(`    ${JSON.stringify(judgement.reasons)}`)
  for (const line of wrong) console.log(`    WRONG: ${line}`)
  if (values.record && circumstance && isRecorded(circumstance) && name.startsWith(`${browser}-restarted@`)) {
    await record({ name: dayBeforeOf(browser, circumstance), expected: {} }, { told: toldBefore, now: Date.now() })
    await record({ name: `${browser}-${circumstance.name}`, expected }, { told, now: Date.now() })
  }
  if (values.record && isUpdated && !circumstance) {
    await record({ name: `${browser}-before-update`, expected: ordinary }, { told: toldBefore, now: Date.now() })
    await record({ name, expected }, { told, now: Date.now() })
  }
  return [
    { name, ...one },
    { name, kind, expected, judgement, opinions: told.opinions, wrong },
  ]
}

/** Without what a circumstance changes: noise is a setting of privacy, and without workers or time some facts are missing. */
function expectedOf(kind: Condition['kind'], circumstance?: Circumstance): Expectation {
  if (circumstance?.isSlow) return { tampering: 'notTrue' }
  if (circumstance?.page?.isNoisy) return { bot: 'notDetected' }
  if (circumstance?.page) return { bot: 'notDetected', tampering: false }
  return { ...ordinary, incognito: kind === 'private' }
}

function needsOld({ isUpdated, circumstance }: Circumstanced): boolean {
  return isUpdated === true || circumstance?.isDowngraded === true
}

/** Of the installed browsers. */
async function areBrowsersApart({ deviceIdOf }: Identity): Promise<boolean> {
  const ids = [await deviceIdOf('chromium'), await deviceIdOf('firefox'), await deviceIdOf('webkit')]
  const known = ids.filter((id) => id !== undefined)
  return new Set(known).size === known.length
}

function show(name: string, line: string): void {
  console.log(`${name.padEnd(38)} ${line}`)
}

async function record(
  { name, expected, zoneOfAddress }: Pick<Scenario, 'name' | 'expected' | 'zoneOfAddress'>,
  { told: { facts, factsMissing, headers }, now }: Pick<Played, 'told' | 'now'>,
) {
  const recording = { name, now, expected, ...(zoneOfAddress && { zoneOfAddress }), headers, factsMissing, facts }
  await writeFile(new URL(`${name}.json`, recordings), `${JSON.stringify(recording, null, 2)}\n`)
}
