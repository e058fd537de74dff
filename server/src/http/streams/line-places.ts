// How many bodies or answers of many lines may be in progress? They last for seconds, so they have places of their own.

import { Refusal } from '../../core/errors.ts'
import type { Progress } from '../progress.ts'

const ofTenant = 4
const ofServer = 32
/** For the caller that finds none. */
export const retryAfterSeconds = 5

/**
 * Moves a request from the places in flight to one of these, until its answer was made or its caller is gone. Refuses with
 * `unavailable` when the server has none left, and as `full` says when the tenant has none left.
 */
export type TakeLinePlace = (progress: Progress, full: () => Refusal) => void

export function linePlaces(): TakeLinePlace {
  const taken = new Map<string, number>()
  let all = 0

  return ({ caller, arrival, reply: { raw } }, full) => {
    if (!caller || !('caller' in caller)) throw new TypeError('only the clients of a tenant have lines')
    const { tenantId } = caller.caller
    const own = taken.get(tenantId) ?? 0
    if (own >= ofTenant) throw full()
    if (all >= ofServer) throw new Refusal('unavailable', { retryAfterSeconds })
    taken.set(tenantId, own + 1)
    all++
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      all--
      const left = taken.get(tenantId)! - 1
      if (left > 0) taken.set(tenantId, left)
      else taken.delete(tenantId)
    }
    raw.once('prefinish', leave).once('close', leave)
    if (raw.destroyed) leave()
    arrival.leave()
  }
}
