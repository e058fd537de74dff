// What time is it in the sandbox, and how can you change it?

import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { Refusal } from '../camara/errors.ts'
import { hourMs } from '../clock.ts'
import { dateTime } from '../lines.ts'
import type { Network } from '../network.ts'

const strict = { additionalProperties: false }
const Advance = Type.Object({ hours: Type.Number({ minimum: -1_000_000, maximum: 1_000_000 }) }, strict)
const Setting = Type.Object({ now: Type.String({ format: 'date-time' }) }, strict)

/** Years have four digits, as RFC 3339 requires. */
const [earliestMs, latestMs] = [Date.UTC(1970, 0), Date.UTC(9999, 0)]

export async function clockRoutes(app: FastifyInstance, { clock }: Network): Promise<void> {
  const clockState = () => ({ now: dateTime(clock.now()), aheadHours: clock.shiftMs() / hourMs })

  app.get('/sandbox/clock', clockState)

  app.post<{ Body: Static<typeof Advance> }>('/sandbox/clock/advance', { schema: { body: Advance } }, (request) => {
    const { hours } = request.body
    within(clock.now() + hours * hourMs)
    clock.advance(hours)
    return clockState()
  })

  app.put<{ Body: Static<typeof Setting> }>('/sandbox/clock', { schema: { body: Setting } }, (request) => {
    const nowMs = within(Date.parse(request.body.now))
    clock.set(nowMs)
    return clockState()
  })

  app.delete('/sandbox/clock', () => {
    clock.reset()
    return clockState()
  })
}

function within(nowMs: number): number {
  if (!(nowMs >= earliestMs && nowMs < latestMs)) {
    throw new Refusal('invalidArgument', 'The clock must be between the years 1970 and 9998.')
  }
  return nowMs
}
