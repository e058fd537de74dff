// `npm run scenarios -- [NAME …] [--record]`: opens real browsers in many conditions, and prints what the signals say of each.

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { disappointments, verdictsOf } from './judge.ts'
import { scenarios } from './list.ts'
import { openPlay, type Play, type Played } from './play.ts'
import type { Scenario } from './scenario.ts'

const usage = `npm run scenarios -- [NAME …] [--record] [--grounds]

Opens each browser of this machine as each scenario says, on a screen that nobody sees, and judges what its page tells. Without a
name: all. --record keeps what was told as a recording, over which npm test runs; --grounds prints why. The exit code is 1 when a
verdict is otherwise than expected.
`
const recordings = new URL('../server/src/device/signals/testing/recordings/', import.meta.url)

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

const play = await openPlay()
for (const scenario of scenarios) {
  if (positionals.length > 0 && !positionals.includes(scenario.name)) continue
  const missing = scenario.needs.filter((program) => !existsSync(program))
  const outcome =
    missing.length > 0 ? `skipped: ${missing.join(', ')} is not on this machine` : await outcomeOf(scenario, play)
  console.log(`${scenario.name.padEnd(38)} ${outcome}`)
}
await play.close()

/** In words; marks the run as failed where something is otherwise than expected. */
async function outcomeOf(scenario: Scenario, { run }: Play): Promise<string> {
  try {
    const played = await run(scenario)
    const { told, judgement } = played
    const wrong = disappointments(scenario.expected, judgement)
    if (wrong.length > 0) process.exitCode = 1
    if (values.record) await record(scenario, played)
    const said = Object.entries(verdictsOf(judgement)).map(([name, verdict]) => `${name} ${verdict ?? '–'}`)
    const times = `${told.tookMs} ms, longest task ${Math.round(told.longestTaskMs)} ms`
    return [
      `${said.join(', ')}, suspectScore ${judgement.verdicts.suspectScore?.result ?? '–'}; ${times}`,
      ...(values.grounds ? [`    ${JSON.stringify(judgement.grounds)}`] : []),
      ...wrong.map((line) => `    WRONG: ${line}`),
    ].join('\n')
  } catch (error) {
    process.exitCode = 1
    return `FAILED: ${(error as Error).message}`
  }
}

async function record({ name, expected, zoneOfAddress }: Scenario, { told: { facts, headers }, now }: Played) {
  const recording = { name, now, expected, ...(zoneOfAddress && { zoneOfAddress }), headers, facts }
  await writeFile(new URL(`${name}.json`, recordings), `${JSON.stringify(recording, null, 2)}\n`)
}
