// How fast is Ringfence? `npm run bench` measures everything, `npm run bench -- NAME…` some of it; `--save` writes docs/benchmarks.md.

import { parseArgs } from 'node:util'
import { type Bench, tableText } from './harness.ts'
import { storage } from './storage.ts'
import { telecom } from './telecom.ts'

const benches: readonly Bench[] = [telecom, storage]

const { positionals } = parseArgs({ allowPositionals: true })
for (const name of positionals) {
  if (benches.some((bench) => bench.name === name)) continue
  console.error(`there is no benchmark ${name}; there are ${benches.map((bench) => bench.name).join(', ')}`)
  process.exit(2)
}
const chosen = benches.filter(({ name, onlyByName }) => (positionals.length ? positionals.includes(name) : !onlyByName))
for (const bench of chosen) for (const table of await bench.run()) console.log(tableText(table))
