// Can a device be stolen, framed, washed or lost? Attacks by somebody who has read the source, over HTTP, on both engines.

import { outboxChannels } from '../../server/src/sign-in/authentication/testing/sign-in-service.ts'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../server/src/testing/databases.ts'
import { createApp } from '../../server/src/testing/sdk-client.ts'
import { startTestService } from '../../server/src/testing/test-service.ts'
import { endingWith, type PromiseProgram, type RunOptions } from './promise.ts'
import { type Attack, type Damage, newDamage } from './testbed/identity/attack.ts'
import { attacksOnAndroid } from './testbed/identity/attacks-on-android.ts'
import { attacksOnHistory } from './testbed/identity/attacks-on-history.ts'
import { attacksOnPhones } from './testbed/identity/attacks-on-phones.ts'
import { attacksOnRecords } from './testbed/identity/attacks-on-records.ts'
import { attacksOnTokens } from './testbed/identity/attacks-on-tokens.ts'

const attacks: readonly Attack[] = [
  ...attacksOnTokens,
  ...attacksOnRecords,
  ...attacksOnHistory,
  ...attacksOnPhones,
  ...attacksOnAndroid,
]

export const identity: PromiseProgram = {
  name: 'identity',
  promise:
    'no device is taken over, framed or washed: replays issue no foreign token and add nothing to a proven victim',
  async run(run) {
    const total = newDamage()
    for (const databases of [sqliteDatabases, postgresDatabases]) {
      for (const attack of attacks) await play(attack, databases, total, run)
    }
    const { visits, tokensOfOthers, pointsAdded, scoresLowered, idsOfVictim, limits } = total
    return {
      figures: {
        attacks: 2 * attacks.length,
        'visits of attackers': visits,
        'tokens of another’s installation issued': tokensOfOthers,
        'points added to a proven victim': pointsAdded,
        'scores lowered by floods': scoresLowered,
        'ids of a victim after an attack, at most': idsOfVictim,
        ...limits,
      },
    }
  },
}

/** The limits on requests are other promises: an attacker has many networks, and time. */
const patient = {
  trustedProxies: '127.0.0.0/8',
  overloadDelayMs: 60_000,
  appRatePerSecond: 10_000,
  appRateBurst: 10_000,
  clientRatePerSecond: 10_000,
  messagesPerRecipientHour: 1_000,
  messagesPerRecipientDay: 10_000,
  messagesPerAddressHour: 1_000_000,
} as const

/** Each attack has its own store. */
async function play(attack: Attack, { engine, open }: TestDatabases, total: Damage, run: RunOptions): Promise<void> {
  await using cleaning = new AsyncDisposableStack()
  const ending = endingWith(cleaning)
  const settings = { ...patient, ...attack.settings }
  const service = await startTestService(ending, await open(ending), {
    settings,
    edit: (parts) => ({ ...parts, channels: outboxChannels }),
  })
  const app = await createApp(service, { settings: attack.appSettings ?? {} })
  const startedAt = performance.now()
  const broken = new Map<string, number>()
  const unless = (holds: boolean, complaint: () => string) => {
    if (!holds) broken.set(complaint(), (broken.get(complaint()) ?? 0) + 1)
  }
  try {
    await attack.run({ service, app, full: run.full, damage: total, unless })
  } catch (error) {
    unless(false, () => (error as Error).message)
  }
  for (const [line, count] of broken) {
    run.unless(false, () => `${attack.name} (${engine}): ${line}${count > 1 ? `, ${count} times` : ''}`)
  }
  run.say(`${attack.name} (${engine}), ${Math.round(performance.now() - startedAt)} ms`)
}
