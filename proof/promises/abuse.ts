// Can a stranger, or somebody with a restricted secret, take more than is allowed? Attacks over HTTP, on both engines.

import { startSignInService } from '../../server/src/sign-in/authentication/testing/sign-in-service.ts'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../server/src/testing/databases.ts'
import { endingWith, type PromiseProgram, type RunOptions } from './promise.ts'
import type { Abuse } from './testbed/abuse/abuse.ts'
import { abuseOfLimits } from './testbed/abuse/abuse-of-limits.ts'
import { abuseOfProviders } from './testbed/abuse/abuse-of-providers.ts'
import { abuseOfRequests } from './testbed/abuse/abuse-of-requests.ts'
import { abuseOfSignIns } from './testbed/abuse/abuse-of-sign-ins.ts'

const abuses: readonly Abuse[] = [...abuseOfSignIns, ...abuseOfProviders, ...abuseOfRequests, ...abuseOfLimits]

export const abuse: PromiseProgram = {
  name: 'abuse',
  promise:
    'no stranger takes more than is allowed: of attacks on limits, paths, redirects, claims and scopes 0 succeed',
  async run(run) {
    const figures: Record<string, number> = { attacks: 0, attempts: 0 }
    for (const databases of [sqliteDatabases, postgresDatabases]) {
      for (const each of abuses) {
        const attempts = await play(each, databases, run)
        figures.attacks!++
        figures.attempts! += attempts
        figures[each.name] = (figures[each.name] ?? 0) + attempts
      }
    }
    return { figures: { ...figures, 'got through': run.complaints.count } }
  },
}

/** The attacker's requests do not reach limits that are not attacked. */
const patient = {
  trustedProxies: '127.0.0.0/8',
  overloadDelayMs: 60_000,
  appRatePerSecond: 10_000,
  appRateBurst: 100_000,
  publicRatePerSecond: 100_000,
} as const

/** Each attack has its own store. Returns how often it was tried. */
async function play(each: Abuse, { engine, open }: TestDatabases, run: RunOptions): Promise<number> {
  await using cleaning = new AsyncDisposableStack()
  const ending = endingWith(cleaning)
  const startedAt = performance.now()
  let attempts = 0
  const fail = (what: string) => run.unless(false, () => `${each.name} (${engine}): ${what}`)
  try {
    const options = await each.options?.(ending)
    const service = await startSignInService(ending, await open(ending), {
      ...options,
      settings: { ...patient, ...options?.settings },
    })
    await each.run({
      service,
      full: run.full,
      refused(holds, what) {
        attempts++
        if (!holds) fail(what())
      },
      allowed(holds, what) {
        if (!holds) fail(`an honest caller is refused: ${what()}`)
      },
    })
  } catch (error) {
    fail((error as Error).message)
  }
  if (attempts === 0) fail('nothing was attacked')
  run.say(`${each.name} (${engine}): ${attempts} attempts, ${Math.round(performance.now() - startedAt)} ms`)
  return attempts
}
