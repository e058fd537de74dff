// Does every stream for a SIEM work? Its configuration, its target, and the events that wait for it. Nothing is written.

import { broken, type Finding, ok, warning } from '@ringfence/server/admin/doctor/finding.ts'
import type { Config } from '@ringfence/server/core/config/config.ts'
import { secretsOf } from '@ringfence/server/core/config/secret-reference.ts'
import type { Database } from '@ringfence/server/core/storage/database.ts'
import { waitingDeliveries } from '@ringfence/server/events/store/deliveries.ts'
import { troubledReceivers } from '@ringfence/server/events/store/receivers.ts'
import { openStreams } from '@ringfence/server/events/streams/index.ts'
import { streamId } from '@ringfence/server/events/streams/stream-id.ts'
import { explain } from '../failure.ts'
import { minuteText } from '../table.ts'

const longestMs = 5_000
/** A stream gets a batch twice a second, and another server takes over within 20 seconds. */
const behindMs = 60_000
const mostCounted = 100_000
const guide = 'docs/reference/event-streams.md'

/** `database`: absent when it cannot be read; then only the targets are examined. */
export function streamFindings(
  eventStreams: NonNullable<Config['eventStreams']>,
  database: Database | undefined,
): Promise<Finding[]> {
  return Promise.all(
    Object.entries(eventStreams).map(async ([name, entry]) => {
      const subject = `eventStreams.${name}`
      try {
        for (const { sink } of openStreams({ [name]: entry }, { readSecret: secretsOf(process.env) }).values()) {
          await sink.check(AbortSignal.timeout(longestMs))
        }
      } catch (error) {
        const waiting = database ? await waitingText(database, name) : undefined
        const text = explain(error).replace(`${subject}: `, '')
        return broken(
          subject,
          waiting ? `${text}; ${waiting.text}` : text,
          `correct it, events wait meanwhile: ${guide}#a-siem`,
        )
      }
      const waiting = database && (await waitingText(database, name))
      if (!waiting) return ok(subject, 'can be written')
      const todo = 'look at the log of the running servers, which write to it'
      return waiting.isBehind
        ? warning(subject, `can be written now, but ${waiting.text}`, todo)
        : ok(subject, waiting.text)
    }),
  )
}

async function waitingText(database: Database, name: string): Promise<{ text: string; isBehind: boolean } | undefined> {
  const { count, since } = await waitingDeliveries(database, streamId(name), mostCounted)
  if (since === null) return undefined
  const number = `${count.toLocaleString('en')}${count === mostCounted ? ' or more' : ''}`
  const text = `${number} ${count === 1 ? 'event waits' : 'events wait'} for it, the oldest since ${minuteText(since)}`
  return { text, isBehind: Date.now() - since > behindMs }
}

/** No finding without webhooks. */
export async function webhookFinding(database: Database): Promise<Finding[]> {
  const { all, failing, disabled } = await troubledReceivers(database)
  if (all === 0) return []
  if (failing + disabled === 0) return [ok('webhooks', `${all} of all tenants, and none fails`)]
  const text = `of ${all} of all tenants, ${failing} ${failing === 1 ? 'fails' : 'fail'} and ${disabled} ${disabled === 1 ? 'is' : 'are'} disabled`
  return [warning('webhooks', text, `ringfence webhooks list shows which: ${guide}#when-a-receiver-fails`)]
}
