// `npm run promises -- NAME … [--full]`: runs some promises, or all of them, and prints what it measured.

import { parseArgs } from 'node:util'
import { tableOfRecords } from '../markdown-table.ts'
import { promises } from './index.ts'
import { type Outcome, runPromise } from './promise.ts'

const usage = `npm run promises -- [NAME …] [--full]

Executes what Ringfence promises, and measures it. Without a name: everything. The short run takes seconds,
--full the counts of docs/promises.md, from minutes to hours. The exit code is 1 when a promise is broken.

${promises.map(({ name, promise }) => `  ${name.padEnd(16)}${promise}`).join('\n')}
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
})
const unknown = positionals.find((name) => !promises.some((program) => program.name === name))
if (values.help || unknown !== undefined) {
  if (unknown !== undefined) console.error(`There is no promise ${unknown}.\n`)
  console.log(usage)
  process.exit(unknown === undefined ? 0 : 2)
}

const summary: Record<string, string | number>[] = []
for (const program of promises) {
  if (positionals.length > 0 && !positionals.includes(program.name)) continue
  console.log(`\n${program.name}: ${program.promise}`)
  const startedAt = performance.now()
  const say = (line: string) => console.log(`  … ${line}`)
  const outcome = await runPromise(program, { full: values.full, say }).catch(
    (error: Error): Outcome => ({ figures: {}, broken: [`it ended with ${error.stack}`] }),
  )
  const { figures, table = [], broken = [], skipped } = outcome
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  for (const rows of [Object.entries(figures).map(([figure, value]) => ({ figure, value })), table]) {
    if (rows.length > 0) console.log(`\n${tableOfRecords(rows)}`)
  }
  if (skipped !== undefined) console.log(`\nskipped: ${skipped}`)
  for (const line of broken) console.log(`BROKEN: ${line}`)
  if (broken.length > 0) process.exitCode = 1
  console.log(`\n${program.name}: broken promises = ${broken.length}, ${seconds} s`)
  summary.push({ promise: program.name, broken: broken.length, skipped: skipped ?? '', seconds })
}
if (summary.length > 1) {
  const broken = summary.filter((each) => each.broken !== 0).length
  const skipped = summary.filter((each) => each.skipped !== '').length
  const ran = skipped > 0 ? `, ${skipped} skipped in whole or in part` : ''
  console.log(`\n${tableOfRecords(summary)}\n\nbroken promises = ${broken} of ${summary.length}${ran}`)
}
