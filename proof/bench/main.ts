// How fast is Ringfence? `npm run bench` measures everything, `npm run bench -- NAME…` some of it; `--save` writes docs/benchmarks.md.

import { parseArgs } from 'node:util'
import { analysis } from './analysis.ts'
import { attestation } from './attestation/attestation.ts'
import { browser } from './browser.ts'
import { consoleBench } from './console/console.ts'
import { customer } from './customer/customer.ts'
import { growth } from './customer/growth.ts'
import { customers, customers10m } from './customers/customers.ts'
import { accountsBench } from './decisions/accounts.ts'
import { backtestBench } from './decisions/backtest.ts'
import { decisions } from './decisions/decisions.ts'
import { searchBench } from './decisions/search.ts'
import { deliveriesBench } from './events/deliveries.ts'
import { eventsBench } from './events/events.ts'
import { type Bench, type Table, tableText } from './harness/harness.ts'
import { hasBlock, saveTables } from './harness/save.ts'
import { identity, identityOfMany } from './identity.ts'
import { ip } from './ip.ts'
import { lists } from './lists/lists.ts'
import { phoneMetadata } from './phone-metadata.ts'
import { portability, portability100m } from './portability.ts'
import { postgres } from './postgres/checks.ts'
import { filledStore } from './postgres/filled.ts'
import { manyDevices, recognition } from './recognition.ts'
import { rules } from './rules.ts'
import { start } from './start.ts'
import { storage } from './storage.ts'
import { batchBench } from './telecom/batch.ts'
import { checksBench } from './telecom/checks.ts'
import { telecom } from './telecom/sim-swap.ts'
import { telemetry } from './telemetry.ts'
import { testing } from './testing.ts'
import { manyTokens, tokens } from './tokens.ts'
import { twoProcesses } from './two-processes.ts'
import { velocities } from './velocities.ts'
import { workersBench } from './workers.ts'

const benches: readonly Bench[] = [
  customer,
  growth,
  telecom,
  checksBench,
  batchBench,
  postgres,
  filledStore,
  twoProcesses,
  workersBench,
  telemetry,
  tokens,
  manyTokens,
  start,
  testing,
  portability,
  portability100m,
  phoneMetadata,
  ip,
  browser,
  rules,
  lists,
  customers,
  customers10m,
  velocities,
  storage,
  recognition,
  identity,
  identityOfMany,
  manyDevices,
  analysis,
  attestation,
  decisions,
  accountsBench,
  searchBench,
  backtestBench,
  eventsBench,
  deliveriesBench,
  consoleBench,
]

const names = benches.map(({ name, onlyByName }) => (onlyByName ? `${name} (only when it is named)` : name))
const usage = `npm run bench -- [NAME…] [--save]\n\nnames: ${names.join(', ')}\n--save: put the tables into docs/benchmarks.md`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { save: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
})
if (values.help) {
  console.log(usage)
  process.exit(0)
}
const unknown = positionals.find((name) => !benches.some((bench) => bench.name === name))
if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}.\n\n${usage}`)
  process.exit(2)
}

const asked = benches.filter(({ name, onlyByName }) =>
  positionals.length === 0 ? !onlyByName : positionals.includes(name),
)
const lost = values.save ? asked.filter(({ name }) => !hasBlock(name)) : []
if (lost.length > 0) {
  const marks = lost.map(({ name }) => `<!-- bench:${name} --> … <!-- /bench -->`)
  console.error(`docs/benchmarks.md has no place for a table: add ${marks.join(', ')}`)
  process.exit(2)
}

for (const bench of asked) {
  try {
    const tables: Table[] = await bench.run()
    for (const table of tables) console.log(tableText(table))
    if (values.save) saveTables(bench.name, tables)
  } catch (error) {
    // The others take an hour: they are measured nevertheless.
    console.error(`${bench.name} failed:`, error)
    process.exitCode = 1
  }
}
