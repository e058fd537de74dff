// `npm run scenarios -- [NAME …] [--record]`: opens real browsers in many conditions, and prints what the signals say of each.

import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgeAll } from '@ringfence/server/device/signals/index.ts'
import { openDisplay } from './display.ts'
import { disappointments, evidenceOf, verdictsOf } from './judge.ts'
import { scenarios } from './list.ts'
import { openSite, type Told } from './page.ts'
import type { Scenario } from './scenario.ts'

const usage = `npm run scenarios -- [NAME …] [--record] [--grounds]

Opens each browser of this machine as each scenario says, on a screen that nobody sees, and judges what its page tells. Without a
name: all. --record keeps what was told as a recording, over which npm test runs; --grounds prints why. The exit code is 1 when a
verdict is otherwise than expected.
`
const recordings = new URL('../server/src/device/signals/testing/recordings/', import.meta.url)
const patienceMs = 40_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: 'boolean', default: false },
    grounds: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const unknown = positionals.find((name) => !scenarios.some((scenario) => scenario.name === name))
if (values.help || unknown !== undefined) {
  if (unknown !== undefined) console.error(`There is no scenario ${unknown}.\n`)
  console.log(`${usage}\n${scenarios.map(({ name }) => `  ${name}`).join('\n')}`)
  process.exit(unknown === undefined ? 0 : 2)
}

await using cleaning = new AsyncDisposableStack()
const display = await openDisplay()
cleaning.defer(() => display.close())
const site = await openSite()
cleaning.defer(site.close)

for (const scenario of scenarios) {
  if (positionals.length > 0 && !positionals.includes(scenario.name)) continue
  const missing = scenario.needs.filter((program) => !existsSync(program))
  const { name } = scenario
  if (missing.length > 0) {
    console.log(`${name.padEnd(34)} skipped: ${missing.join(', ')} is not on this machine`)
    continue
  }
  try {
    await run(scenario)
  } catch (error) {
    console.log(`${name.padEnd(34)} FAILED: ${(error as Error).message}`)
    process.exitCode = 1
  }
}

async function run(scenario: Scenario): Promise<void> {
  await using ending = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-scenario-'))
  await chmod(folder, 0o777)
  ending.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { url, told } = site.visit()
  await scenario.open(url, { display, folder, after: (clean) => ending.defer(async () => void (await clean())) })
  const all = await within(told)
  const now = Date.now()
  const judgement = judgeAll(evidenceOf(all, scenario.zoneOfAddress, now))
  const wrong = disappointments(scenario.expected, judgement)
  const said = Object.entries(verdictsOf(judgement)).map(([name, verdict]) => `${name} ${verdict ?? '–'}`)
  const times = `${all.tookMs} ms, longest task ${Math.round(all.longestTaskMs)} ms`
  console.log(
    `${scenario.name.padEnd(34)} ${said.join(', ')}, suspect ${judgement.verdicts.suspectScore?.result}; ${times}`,
  )
  if (values.grounds) console.log(`    ${JSON.stringify(judgement.grounds)}`)
  for (const line of wrong) console.log(`    WRONG: ${line}`)
  if (wrong.length > 0) process.exitCode = 1
  if (values.record) await record(scenario, all, now)
}

async function within(told: Promise<Told>): Promise<Told> {
  const late = AbortSignal.timeout(patienceMs)
  return await Promise.race([
    told,
    new Promise<never>((_, reject) =>
      late.addEventListener('abort', () => reject(new Error('The page told nothing, or the browser did not open it'))),
    ),
  ])
}

async function record({ name, expected, zoneOfAddress }: Scenario, { facts, headers }: Told, now: number) {
  const recording = { name, now, expected, ...(zoneOfAddress && { zoneOfAddress }), headers, facts }
  await writeFile(new URL(`${name}.json`, recordings), `${JSON.stringify(recording, null, 2)}\n`)
}
