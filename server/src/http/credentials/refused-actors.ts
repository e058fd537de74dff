// Who tried what they may not? A line in the audit log of their tenant, a few a minute for each of them.

import type { Actor } from '../../admin/actor.ts'
import { Refusal } from '../../core/errors.ts'
import { RateLimit } from '../../core/servers/rate-limit.ts'
import type { Progress } from '../progress.ts'
import type { HttpNeeds } from '../room.ts'
import { auditedPath } from '../rows.ts'

/** The log stays for ever, so one actor writes at most so many lines; the metric `refusals` counts all. */
const lines = { perSecond: 6 / 60, burst: 6 }

type NoteRefusal = (actor: Actor, refusal: Refusal, progress: Progress) => Promise<void>

export function refusedActors({ admin: { audit }, database, servers: { requestCounts } }: HttpNeeds): NoteRefusal {
  const limit = new RateLimit('audited-refusals', lines, requestCounts)
  return async ({ id, name, role, tenantId }, { failure, details }, progress) => {
    const { method, row, requestId, address } = progress
    try {
      await limit.take(id, () => undefined)
    } catch (error) {
      if (error instanceof Refusal) return
      throw error
    }
    const append = await audit.line({
      tenantId,
      actor: id,
      action: 'refused',
      details: {
        name,
        role,
        requestId,
        ...(address && { ipAddress: address.address.text }),
        call: `${method} ${auditedPath(row!)}`,
        failure,
        why: details.mistake,
      },
    })
    await database.transaction(append)
  }
}
