// How is an estimate shown, on a terminal and in docs/scale.md?

import { costOfFlows, type FlowCost } from '@ringfence/server/testing/cost-of-flows.ts'
import { distribution } from '../distribution/tables.ts'
import { page, table } from '../reference/markdown.ts'
import { type Estimate, estimate, figures, logOf, newDeviceShare, peak, usualTraffic, utilisation } from './estimate.ts'

const two = (n: number): string => Number(n.toPrecision(2)).toLocaleString('en-US', { maximumFractionDigits: 2 })
const whole = (n: number): string => n.toLocaleString('en-US', { maximumFractionDigits: 0 })
const bytes = (n: number): string =>
  n >= 1e12 ? `${two(n / 1e12)} TB` : n >= 1e9 ? `${two(n / 1e9)} GB` : `${two(n / 1e6)} MB`

const { check, eightChecks, signIn, silent, visit, decision, token } = costOfFlows

/** What each of them asks of the store, as a test counts it. */
const flows: Readonly<Record<string, FlowCost>> = {
  'telecom check, asked of the operator': check,
  'eight checks in one call': eightChecks,
  'sign-in by SMS': signIn,
  'sign-in without a message (SILENT)': silent,
  'device visit': visit,
  'decision with everything': decision,
  'token verification': token,
}

const rows: [string, (e: Estimate) => string][] = [
  ['checks, sign-ins, visits per second at the peak', (e) => [e.checks, e.signIns, e.visits].map(two).join(', ')],
  ['Ringfence servers, one core each', ({ servers }) => String(servers)],
  ['memory of each', ({ serverMemoryMb }) => `${two(serverMemoryMb)} MB`],
  ['cores of PostgreSQL', ({ postgresCores }) => String(postgresCores)],
  ['commits per second at the peak', ({ commits }) => two(commits)],
  ['store', ({ storeBytes }) => bytes(storeBytes)],
  ['indexes of devices and users, to be in memory', ({ indexBytes }) => bytes(indexBytes)],
  ['a backup, made, restored and read', ({ backupHours }) => `${two(backupHours)} h`],
  ['disk of each PostgreSQL machine', ({ diskBytes }) => bytes(diskBytes)],
  ['log a day; with `wal_compression`', (e) => [e.logBytesPerDay, e.compressedLogBytesPerDay].map(bytes).join('; ')],
  ['connections to PostgreSQL', ({ connections }) => String(connections)],
]

/** One line for each figure, then what gives way first. */
export function terminalText(e: Estimate): string {
  const lines = rows.map(([what, of]) => `${what.padEnd(50)} ${of(e)}`)
  const limits = e.bottlenecks.map(
    ({ what, users, remedy }, i) =>
      `${i + 1}. ${what}: at ${two(users / 1e6)} million users; then ${remedy.replace(/\[([^\]]+)\]\(.*?\)/, '$1')}`,
  )
  return [...lines, '', 'What gives way first:', ...limits, ''].join('\n')
}

const logs = (compression: 'on' | 'off'): string =>
  (['visit', 'newDevice', 'signIn', 'check'] as const).map((flow) => whole(logOf(flow, compression))).join(', ')

export function scalePage(): string {
  const sizes = [1e6, 10e6, 100e6].map((users) => estimate({ users, ...usualTraffic }))
  const { checks, signIns, visits } = usualTraffic
  const f = figures()
  return page(
    'Scale',
    `How large an installation do you need? The tables are computed from the medians of [Benchmarks](benchmarks.md), by the command that
answers for your own traffic:

\`\`\`sh
npm run size -- --users 10e6 --checks ${checks} --sign-ins ${signIns} --visits ${visits}    # for each user and month
\`\`\``,
    table(
      ['users a month', ...sizes.map(({ traffic }) => `${traffic.users / 1e6} million`)],
      rows.map(([what, of]) => [what, ...sizes.map(of)]),
    ),
    `The peak is ${peak} times the average of the month, cores are ${utilisation * 100} % busy then, one server more than needed runs, and ${newDeviceShare * 100} %
of the visits come from new devices. Size PostgreSQL's replicas like its primary.`,
    `## What gives way first\n`,
    table(
      ['limit', 'reached at, with this traffic', 'then'],
      sizes.at(-1)!.bottlenecks.map(({ what, users, remedy }) => [what, `${two(users / 1e6)} million users`, remedy]),
    ),
    `## What it is computed from\n`,
    table(
      ['figure', 'value', 'from'],
      [
        ['telecom check with one upstream call', `${two(f.checksPerCore)} per CPU-second`, '`customer`'],
        ['a request of a sign-in, like a token verification', `${two(f.requestsPerCore)} per CPU-second`, '`customer`'],
        [
          'visit of a known, of a new device',
          `${two(f.returningPerCore)}, ${two(f.newPerCore)} per CPU-second`,
          '`customer`; how much dearer a new one is: `analysis`',
        ],
        [
          'write-ahead log of a returning visit, a new device, a sign-in, a check',
          `${logs('off')} bytes; with \`wal_compression\` ${logs('on')}`,
          '`filled`',
        ],
        ['a backup', `${two(f.backupSecondsPerGb)} s per GB`, '`filled`'],
        [
          'stored visit, of that after its retention; event; device; user',
          `${f.analysisBytes}, ${f.analysisBytes - f.sealedBytes}; ${f.eventBytes}; ${whole(f.deviceBytes)}; ${f.userBytes} bytes`,
          '`filled`',
        ],
        ['of that indexes of a device, of a user', `${f.deviceIndexBytes}, ${f.userIndexBytes} bytes`, '`filled`'],
        ['memory when idle, and of address data', `${f.idleMb} and ${f.addressDataMb} MB`, '`start`, `ip`'],
        [
          'commits, point reads of PostgreSQL',
          `${two(f.commitsPerCore)}, ${two(f.readsPerCore)} per core and second, at least`,
          '`storage`',
        ],
      ],
    ),
    `PostgreSQL's own CPU was not measured: the table takes all that the measuring process left of the machine. So its cores are an upper bound
for a local disk, and do not include the wait for a synchronous replica, which costs time and no CPU. The figures of \`customer\` are those of the embedded store.
Servers were added until PostgreSQL had fewer connections than they use; the last one goes on with those that it got. A load at which the other limits are reached was not run.`,
    `## What a flow asks of the store

Counted by a test on both engines, for a tenant with an app and default rules, and somebody who was there before. Statements are those that
are sent to PostgreSQL, each with its way there and back; a batch is one of them, and equal reads of the same moment are one too.\n`,
    table(
      ['flow', 'reads', 'commits', 'statements'],
      Object.entries(flows).map(([name, cost]) => [name, cost.reads, cost.commits, cost.statements].map(String)),
    ),
    `## What shards by which key\n\nWhere one PostgreSQL primary no longer suffices, tables are [distributed](distribution.md) by these columns:\n`,
    table(
      ['key', 'tables'],
      Object.entries(Object.groupBy(Object.entries(distribution), ([, { by }]) => by)).map(([by, tables]) => [
        by,
        tables!.map(([name]) => `\`${name}\``).join(', '),
      ]),
    ),
  )
}
