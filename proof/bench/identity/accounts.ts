// Is a visit that names an account one of its devices? Returns without storage, new devices of the account, and equal strangers.

import { uuidBytes } from '../../../server/src/core/storage/uuid.ts'
import { matchAccount } from '../../../server/src/device/identity/account-match.ts'
import { traitsOf } from '../../../server/src/device/identity/components.ts'
import { fingerprintOf, saltOf, unpacked } from '../../../server/src/device/identity/fingerprint.ts'
import { type RecognitionServices, recognise, type Visit } from '../../../server/src/device/identity/recognise.ts'
import { installationsOfDevice } from '../../../server/src/device/store/installations.ts'
import type { Group } from '../recognition/counts.ts'
import type { Population } from '../recognition/population.ts'
import type { Random } from '../recognition/random.ts'
import type { Asked, Life } from './life.ts'

/** A visit is compared with this many devices of an account. */
const mostCompared = 20
/** The answer of recognition among all devices counts from here on. */
const likelyFrom = 0.5
/** Part of the visits without a token that name their account; each of these is tried once more by a stranger. */
const part = 0.15

export interface AccountCounts {
  returns: number
  /** Returns that were called known as the device that they are. */
  own: number
  /** New devices of an account that were called known. */
  others: number
  othersKnown: number
  /** Strangers with a device of the same model. */
  strangers: number
  strangersKnown: number
}

const none = (): AccountCounts => ({ returns: 0, own: 0, others: 0, othersKnown: 0, strangers: 0, strangersKnown: 0 })

interface Context {
  readonly tenantId: string
  readonly services: RecognitionServices
  readonly lives: readonly Life[]
  readonly population: Population
  readonly random: Random
}

export function startAccounts({ tenantId, services, lives, population, random }: Context) {
  const counts = new Map<Group, AccountCounts>()
  const ofAccounts = Map.groupBy(lives, ({ account }) => account)
  const recordsOf = async (account: number) => {
    const known = ofAccounts.get(account)!.flatMap((life) => [...life.ids].map((id) => ({ life, id })))
    const records = await Promise.all(
      known.slice(-mostCompared).map(async ({ life, id }) => {
        const rows = await installationsOfDevice(services.database, tenantId, uuidBytes(id))
        return rows.flatMap(({ fingerprint, lastSeenAt }) =>
          fingerprint ? [{ life, id, fingerprint: unpacked(fingerprint), lastSeenAt }] : [],
        )
      }),
    )
    return records.flat()
  }
  /** Which device of the account it is called, if any. */
  const answer = async (visit: Visit, account: number): Promise<Life | undefined> => {
    const records = await recordsOf(account)
    // Reads only: its change is not stored.
    const { by, deviceId, confidence } = await recognise(visit, services)
    const same = by === 'similarity' && confidence.score >= likelyFrom && records.find(({ id }) => id === deviceId)
    if (same) return same.life
    const salt = saltOf(await services.tenantKeyring.keysOf(tenantId))
    const fingerprint = fingerprintOf(traitsOf(visit.facts, visit.address), salt)
    return matchAccount(fingerprint, records, services.clock.now()).record?.life
  }
  return {
    counts,
    async observe(visits: readonly Asked[], day: number): Promise<void> {
      for (const { life, proof, visit } of visits) {
        if (!random.chance(part)) continue
        const its = counts.get(life.group) ?? none()
        counts.set(life.group, its)
        const isKnownAccount = ofAccounts.get(life.account)!.some(({ ids }) => ids.size > 0)
        if (!isKnownAccount) continue
        const named = await answer(visit, life.account)
        if (proof === 'cleared') {
          its.returns++
          if (named === life) its.own++
        } else {
          its.others++
          if (named) its.othersKnown++
        }
        const stranger = population.newDevice(undefined, life.device).visit(day)
        its.strangers++
        if (await answer({ tenantId, ...stranger }, life.account)) its.strangersKnown++
      }
    },
  }
}
