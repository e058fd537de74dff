// What happens when the clock jumps? Nothing expired comes back, nothing revoked is accepted, nothing crashes.

import { endpoints } from '@ringfence/contract'
import type { IssuedCredentials } from '../../server/src/clients/credentials.ts'
import { revokeClient } from '../../server/src/clients/store/clients.ts'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../server/src/testing/databases.ts'
import { startTestService, type TestService } from '../../server/src/testing/test-service.ts'
import type { Judge, PromiseProgram, RunOptions } from './promise.ts'
import { ordinaryNumber } from './testbed/operator.ts'

const reuseSeconds = 600

export const clock: PromiseProgram = {
  name: 'clock',
  promise: 'the clock may jump: ±1 h and ±30 days, no expired answer is returned, no revoked secret accepted',
  async run(run) {
    let jumps = 0
    for (const databases of [sqliteDatabases, postgresDatabases]) {
      const service = await startService(databases, run)
      const sequences = run.full ? sequencesOf(jumpsHours, 3) : jumpsHours.map((hours) => [hours])
      for (const [index, sequence] of sequences.entries()) {
        for (const hours of sequence) {
          jumps++
          await jump(service, hours, ordinaryNumber(index), run)
        }
      }
    }
    return { figures: { jumps, broken: run.complaints.count } }
  },
}

const jumpsHours = [1, -1, 30 * 24, -30 * 24]

/** Every sequence of `length` of these steps. */
function sequencesOf<Item>(items: readonly Item[], length: number): Item[][] {
  if (length === 0) return [[]]
  return sequencesOf(items, length - 1).flatMap((sequence) => items.map((item) => [...sequence, item]))
}

const startService = async ({ open }: TestDatabases, run: RunOptions) =>
  startTestService(run, await open(run), {
    settings: { simSwapReuseSeconds: reuseSeconds, overloadDelayMs: 60_000 },
  })

async function jump(service: TestService, hours: number, phoneNumber: string, run: Judge): Promise<void> {
  const { post, sandbox, parts: needs } = service
  const { path } = endpoints.simSwapCheck
  const what = `${hours > 0 ? '+' : ''}${hours} h`
  const ask = () => post(path, { phoneNumber })
  const moveClock = (by: { hours?: number; seconds?: number }) => {
    service.clock.advance(by)
    // The operator's own clock does not jump.
    sandbox.clock.advance(-(by.hours ?? 0))
  }

  // An answer stored long ago in real time, whatever the clock says about it.
  sandbox.lines.reset(phoneNumber)
  while (!(await ask()).headers.has('age'));
  sandbox.lines.change(phoneNumber, { latestSimChange: new Date(sandbox.clock.now() - 3_600_000).toISOString() })
  const revoked = await revokedElsewhere(service)
  moveClock({ hours })
  const { body, headers, status } = await ask()
  run.unless(status === 200, () => `${what}: a check is answered ${status}`)
  run.unless(body.success === true, () => `${what}: a check fails: ${JSON.stringify(body)}`)
  run.unless(
    body.swapped === true && !headers.has('age'),
    () => `${what}: what was kept ${reuseSeconds} s at most is given, with age ${headers.get('age')}`,
  )
  // Answers to requests after the jump are stored and expire as usual.
  const patientUntil = performance.now() + 60_000
  while (!(await ask()).headers.has('age') && performance.now() < patientUntil);
  const storedAgain = await ask()
  run.unless(storedAgain.headers.has('age'), () => `${what}: answers are no longer stored`)
  service.clock.advance({ seconds: reuseSeconds })
  run.unless(!(await ask()).headers.has('age'), () => `${what}: an expired answer is returned`)

  // The operator's access token has expired by the operator's clock, however new it looks to ours.
  sandbox.clock.advance(2)
  const other = await post(endpoints.callForwardingCheck.path, { phoneNumber })
  run.unless(other.body.success === true, () => `${what}: no new access token: ${JSON.stringify(other.body)}`)

  const refused = await post(path, { phoneNumber }, { ...revoked })
  run.unless(refused.status === 401, () => `${what}: a revoked secret is answered ${refused.status}`)
  await needs.telecom.answers.dropExpired()
}

/** A client that this process accepted a moment ago, and that another process has revoked since. */
async function revokedElsewhere({ parts: needs, tenantId, post, clock }: TestService): Promise<IssuedCredentials> {
  const client = await needs.clients.createClient(tenantId, 'revoked')
  await post(endpoints.portability.path, { phoneNumber: '1' }, { ...client })
  await revokeClient(needs.database, client.clientId, clock.now())
  return client
}
