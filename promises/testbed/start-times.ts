// How long does the start of a sign-in take? By what the telecom gate finds, and by whether the number has signed in before.

import { startSignInService } from '../../server/src/authentication/testing/sign-in-service.ts'
import { userOf } from '../../server/src/authentication/users.ts'
import type { TestDatabases } from '../../server/src/testing/databases.ts'
import type { Complaints, RunOptions } from '../promise.ts'
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
export async function startTimes({ open }: TestDatabases, run: RunOptions, complaints: Complaints) {
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
  for (let round = 0; round < warmUps + rounds; round++) {
    for (let turn = 0; turn < cases.length; turn++) {
      const sample = samples[(turn + round) % cases.length]!
      // Another number each time: a start that is repeated gets the answer of the first one.
      const place = String(round * cases.length + turn).padStart(4, '0')
      const number = `614${place}${endings[sample.gate]}`
      const address = `${number}@shop.example`
      if (sample.isKnown) {
        const identities = [
          { identityType: 'MOBILE', identityValue: number, verified: true },
          { identityType: 'EMAIL', identityValue: address, verified: true },
        ] as const
        await userOf(service.tenantId, { identities: [...identities] }, service.platform)
      }
      const startedAt = performance.now()
      const { status } = await service.start({ identity: { type: 'MOBILE', value: number } })
      const ms = performance.now() - startedAt
      if (round >= warmUps) sample.ms.push(ms)
      const byText = gateway.otpFor(number) !== undefined
      complaints.unless(
        status === 200 && byText === (sample.gate === 'passes'),
        () => `start of ${sample.name}: status ${status}, ${byText ? 'a' : 'no'} text message`,
      )
    }
  }
  return samples
}
