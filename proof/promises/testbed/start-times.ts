// How long does the start of a sign-in take? By what the telecom gate finds, and by whether the number has signed in before.

import {
  type SignInService,
  startSignInService,
} from '../../../server/src/sign-in/authentication/testing/sign-in-service.ts'
import { userOf } from '../../../server/src/sign-in/authentication/users.ts'
import type { TestDatabases } from '../../../server/src/testing/databases.ts'
import type { RunOptions } from '../promise.ts'
import { startMessageGateway, unlimitedMessages } from './message-gateway.ts'

/** An ordinary gateway. The time that is left of a start without it is what could differ. */
const gatewayMs = 100

/** The last digits choose what the sandbox's operator answers. */
const endings = { passes: '1726', swapped: '0110' } as const

const cases = [
  { name: 'a number that passes the gate and has signed in', gate: 'passes', isKnown: true },
  { name: 'a number that passes the gate and has never signed in', gate: 'passes', isKnown: false },
  { name: 'a number that steps up to an email address', gate: 'swapped', isKnown: true },
  { name: 'a number whose message is held back', gate: 'swapped', isKnown: false },
] as const

/** Milliseconds of each start, by case. Complains when a message goes another way than its case says. */
export async function startTimes({ open }: TestDatabases, run: RunOptions) {
  const gateway = await startMessageGateway(run, { delayMs: gatewayMs })
  const service = await startSignInService(run, await open(run), {
    channels: gateway.channels,
    app: { gate: { simSwap: { onFound: 'stepUp' }, stepUp: { channel: 'OTP', method: 'EMAIL' } } },
    settings: {
      ...unlimitedMessages,
      appRatePerSecond: 1_000_000,
      appRateBurst: 1_000_000,
      overloadDelayMs: 60_000,
    },
  })
  const samples = cases.map((each) => ({ ...each, ms: [] as number[] }))
  const [warmUps, rounds] = run.full ? [20, 200] : [1, 4]
  const turns = Array.from({ length: warmUps + rounds }, (_, round) =>
    samples.map((_, turn) => {
      const sample = samples[(turn + round) % samples.length]!
      // Another number each time: a start that is repeated gets the answer of the first one.
      const place = String(round * samples.length + turn).padStart(4, '0')
      return { sample, number: `614${place}${endings[sample.gate]}`, isCounted: round >= warmUps }
    }),
  ).flat()
  // All before the first start, which must not be faster because its user was written just now.
  for (const { number } of turns.filter(({ sample }) => sample.isKnown)) await signedIn(number, service)

  for (const { sample, number, isCounted } of turns) {
    const startedAt = performance.now()
    const { status } = await service.start({ identity: { type: 'MOBILE', value: number } })
    if (isCounted) sample.ms.push(performance.now() - startedAt)
    const byText = gateway.otpFor(number) !== undefined
    run.unless(
      status === 200 && byText === (sample.gate === 'passes'),
      () => `start of ${sample.name}: status ${status}, ${byText ? 'a' : 'no'} text message`,
    )
  }
  return samples
}

/** Somebody has signed in with this number and an email address. */
function signedIn(number: string, { tenantId, parts: needs }: SignInService): Promise<string> {
  const identities = [
    { identityType: 'MOBILE', identityValue: number, verified: true },
    { identityType: 'EMAIL', identityValue: `${number}@shop.example`, verified: true },
  ]
  return userOf(tenantId, { identities }, needs)
}
