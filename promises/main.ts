// `npm run promises -- NAME … [--full]`: runs some promises, or all of them, and prints what it measured.

import { parseArgs } from 'node:util'
import { promises } from './index.ts'
import { runPromise } from './promise.ts'

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

for (const program of promises) {
  if (positionals.length > 0 && !positionals.includes(program.name)) continue
  console.log(`\n${program.name}: ${program.promise}`)
  const startedAt = performance.now()
  const say = (line: string) => console.log(`  … ${line}`)
  const { figures, broken, skipped } = await runPromise(program, { full: values.full, say })
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name.padEnd(48)} ${value}`)
  if (skipped !== undefined) console.log(`  skipped: ${skipped}`)
  for (const line of broken) console.log(`  BROKEN: ${line}`)
  if (broken.length > 0) process.exitCode = 1
  const verdict = broken.length > 0 ? 'broken' : skipped === undefined ? 'kept' : 'kept as far as it ran'
  console.log(`  ${verdict}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
