// How does a test get an ENUM zone? From nsd, the name server of Debian, on a free port of loopback.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whyMissing } from '../../../../../scripts/debian-packages.ts'
import { freePorts } from '../../../testing/free-ports.ts'
import { until } from '../../../testing/until.ts'
import { queryNaptr } from './naptr-query.ts'

const program = '/usr/sbin/nsd'

/** What ends it: a test, or a program. */
interface Ending {
  after(end: () => Promise<unknown>): void
}

export const hasNsd = () => existsSync(program)

/** Why tests with nsd are skipped here; false when they can run. */
export const whyWithoutNsd = async () => (await whyMissing(hasNsd, 'nsd')) ?? false

/**
 * Serves the records under `e164.test`, and a zone `broken.test` that it cannot read. Returns its address as a source names it. Ends with
 * the test.
 */
export async function startNsd(t: Ending, records: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-nsd-'))
  const [port] = await freePorts(1)
  const zone = [
    '$ORIGIN e164.test.',
    '$TTL 300',
    '@ SOA ns.e164.test. host.e164.test. 1 3600 600 86400 60',
    '@ NS ns',
    'ns A 127.0.0.1',
    ...records,
  ]
  await writeFile(join(folder, 'zone'), `${zone.join('\n')}\n`)
  await writeFile(join(folder, 'broken'), '$ORIGIN broken.test.\n@ SOA this is no zone\n')
  await writeFile(
    join(folder, 'nsd.conf'),
    `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: "${folder}/nsd.pid"
  zonelistfile: "${folder}/zone.list"
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
  server-count: 1
  rrl-ratelimit: 0
remote-control:
  control-enable: no
zone:
  name: e164.test
  zonefile: zone
zone:
  name: broken.test
  zonefile: broken
`,
  )
  const child = spawn(program, ['-d', '-c', join(folder, 'nsd.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
  const said: Buffer[] = []
  child.stderr.on('data', (part) => said.push(part))
  const ended = once(child, 'exit')
  t.after(async () => {
    // It has children, which it ends itself.
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const server = { host: '127.0.0.1', port: port!, family: 4 } as const
  await until(async () => {
    assert.equal(child.exitCode, null, `nsd ended: ${Buffer.concat(said)}`)
    return queryNaptr('e164.test', server, AbortSignal.timeout(500)).then(
      () => true,
      () => false,
    )
  })
  return `127.0.0.1:${port}`
}

/** A NAPTR record of a number, as a line of a zone file. */
export function naptr(
  digits: string,
  uri: string,
  { order = 100, preference = 10, services = 'E2U+pstn:tel', flags = 'u' } = {},
) {
  const name = [...digits].reverse().join('.')
  return `${name} NAPTR ${order} ${preference} "${flags}" "${services}" "!^(.*)$!${uri.replaceAll('\\', '\\\\')}!" .`
}
