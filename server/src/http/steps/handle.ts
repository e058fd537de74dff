// What does the handler of an endpoint get, and what does it return?

import type { Progress } from '../progress.ts'
import { Deadline, deadlineOf } from '../request/request-deadline.ts'
import { addNotice } from '../response/notice.ts'
import { queryOf } from '../rows.ts'
import type { EndpointRow } from '../surface.ts'
import { callOf } from './call-of.ts'
import { hintsOfBody, hintsOfMissing } from './hints.ts'
import type { Serving } from './step.ts'

/** Refuses with the failure of the first wrong field. */
export function checkFields(progress: Progress, { rows }: Serving): void {
  const row = progress.row as EndpointRow
  const sent = row.method === 'GET' || row.takesLines ? queryOf(row, progress) : progress.body
  const given = rows.withParameters(row, progress.arrival.path, sent)
  const notice = row.body.notice(given)
  if (notice) {
    addNotice(progress.reply, notice)
    // Not in the log: it names what the caller sent.
    progress.hint = 'x-ringfence-notice of the answer names fields that were ignored'
  }
  hinted(progress, hintsOfBody(row.path, given))
  const body = row.body.read(given)
  // The proof of a phone covers all that was sent, unknown fields too.
  progress.body = notice === undefined || row.hasFacts ? body : row.body.known(body)
}

/** Refuses with `invalidDeadline`, and as the handler does. */
export async function handle(progress: Progress, { needs }: Serving): Promise<void> {
  const row = progress.row as EndpointRow
  const arrivalMs = row.takesLines ? needs.settings.requestTimeoutMs : 0
  const { arrivedAt } = progress.arrival
  const deadline = new Deadline(arrivedAt + arrivalMs + deadlineOf(progress, needs.settings.deadlineMs))
  progress.deadline = deadline
  progress.provenance = { sandbox: false }
  const call = callOf(progress, needs)
  try {
    progress.answer = await progress.inTime(() => row.handler(progress.body, call), arrivalMs)
  } finally {
    deadline.met()
  }
  const { decision } = progress.provenance
  if (decision) hinted(progress, hintsOfMissing(decision.missing))
}

function hinted(progress: Progress, hints: readonly string[]): void {
  for (const hint of hints) addNotice(progress.reply, hint)
  if (hints.length > 0) progress.hint = [progress.hint, ...hints].filter(Boolean).join('; ')
}
