// How is the answer of an endpoint sent? As JSON, as lines, as events that do not end, or as 204.

import { etagOf, versionOfAnswer } from '../../admin/versions.ts'
import { JsonText } from '../../core/json/json-text.ts'
import { LinesAnswer } from '../../core/json/lines-answer.ts'
import { StreamAnswer } from '../../core/stream-answer.ts'
import { sendConsoleCookies } from '../cookies/console-cookie.ts'
import { sendSdkCookies } from '../cookies/sdk-cookies.ts'
import { dataHeaders } from '../pages/page-headers.ts'
import type { Progress } from '../progress.ts'
import type { Reply } from '../response/reply.ts'
import { isOfPerson } from '../rows.ts'
import { refuseOtherRole } from '../streams/event-stream.ts'
import type { EndpointRow } from '../surface.ts'
import { callerOf } from './admit.ts'
import type { Serving } from './step.ts'

/** The headers of every answer of an endpoint. */
export function describeAnswer(progress: Progress): void {
  const { reply } = progress
  const row = progress.row as EndpointRow
  reply.header('cache-control', 'no-store')
  if (row.caller === 'admin' || isOfPerson(row, progress.headers)) reply.headers(dataHeaders)
  if (row.method === 'GET' && row.acceptsForm) reply.header('referrer-policy', 'no-referrer')
}

/** Sends what the handler returned; a promise for a stream, which ends with the connection. */
export function sendAnswer(progress: Progress, serving: Serving): Promise<void> | void {
  const { reply, caller, answer } = progress
  const { needs, lines } = serving
  sendSdkCookies(caller, reply, needs.settings.baseUrl)
  sendConsoleCookies(caller, reply)
  const version = versionOfAnswer(caller)
  if (version !== undefined) reply.header('etag', etagOf(version))
  if (answer instanceof StreamAnswer) return stream(answer, progress, serving)
  describeSource(progress, serving)
  if ((progress.row as EndpointRow).answersNothing) reply.status(204).send()
  else if (answer instanceof LinesAnswer) return lines.send(answer, progress)
  else sendJson(reply, answer)
}

/** What an answer is based on, in its headers. */
export function describeSource({ provenance, reply }: Progress, { needs }: Pick<Serving, 'needs'>): void {
  if (provenance?.sandbox) reply.header('x-ringfence-sandbox', 'true')
  if (provenance?.ageSeconds !== undefined) reply.header('age', provenance.ageSeconds)
  closeWhenDraining(reply, needs)
}

/** Checked when the response is sent, since the service may have started to stop meanwhile. */
export function closeWhenDraining(reply: Reply, { servers }: Pick<Serving['needs'], 'servers'>): void {
  if (servers.leaving()) reply.header('connection', 'close')
}

export function sendJson(reply: Reply, body: unknown, type = 'application/json'): void {
  reply.header('content-type', `${type}; charset=utf-8`)
  reply.send(body instanceof JsonText ? body.text : JSON.stringify(body))
}

/** Who reads it is verified again while it lasts. */
function stream(answer: StreamAnswer, progress: Progress, serving: Serving): Promise<void> {
  const { database, settings } = serving.needs
  const row = progress.row as EndpointRow
  const mayStill = async () => refuseOtherRole(progress.caller, await callerOf(row, progress, serving, false))
  const sent = serving.streams.send(answer, progress.reply, () =>
    database.within(performance.now() + settings.deadlineMs, mayStill),
  )
  progress.streamedAfterMs = performance.now() - progress.arrival.arrivedAt
  return sent
}
