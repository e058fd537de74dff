// How are server-sent events written? Until the caller leaves, may no longer read, or reads too slowly. (WHATWG HTML, 9.2)

import { once } from 'node:events'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Actor } from '../../admin/actor.ts'
import type { EventOutlet, StreamAnswer, StreamedEvent } from '../../core/stream-answer.ts'
import { Refusal } from '../../errors.ts'
import type { CallerContext } from '../admission.ts'

/** More often than a proxy closes a silent connection. */
const heartbeatMs = 15_000
/** How long a session that ended, or a permission that was taken away, may still be in use. */
export const recheckMs = 5_000
/** Who has not read this many bytes is disconnected, and connects again when they can. */
const mostUnread = 1_000_000
const enough = 100_000

export interface OpenStreams {
  /** Sends the head, and events until the stream ends. `mayStill` rejects when the caller may no longer read. */
  send(answer: StreamAnswer, reply: FastifyReply, mayStill: () => Promise<unknown>): Promise<void>
}

/** When the server closes, all streams end: their callers connect again, to another server. */
export function openStreams(server: FastifyInstance): OpenStreams {
  const open = new Set<() => void>()
  let isClosed = false
  server.addHook('preClose', (done) => {
    isClosed = true
    for (const end of open) end()
    done()
  })

  return {
    async send(answer, reply, mayStill) {
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no', // nginx would collect events
      })
      const ended = new AbortController()
      const end = () => {
        if (ended.signal.aborted) return
        ended.abort()
        open.delete(end)
        clearInterval(beating)
        clearInterval(checking)
        raw.end()
      }
      const beating = setInterval(() => raw.write(':\n\n'), heartbeatMs)
      const checking = setInterval(() => void mayStill().catch(end), recheckMs)
      open.add(end)
      raw.once('close', end)
      raw.write(': watching\n\n')
      if (isClosed || raw.destroyed) return end()
      const outlet: EventOutlet = {
        signal: ended.signal,
        end,
        send(events) {
          if (ended.signal.aborted || events.length === 0) return
          raw.write(events.map(textOf).join(''))
          if (raw.writableLength > mostUnread) end()
        },
        async drained() {
          while (!ended.signal.aborted && raw.writableLength > enough) {
            await once(raw, 'drain', { signal: ended.signal }).catch(() => undefined)
          }
        },
      }
      await answer.open(outlet).catch(end)
    },
  }
}

const textOf = ({ id, data }: StreamedEvent) => `id: ${id}\ndata: ${data}\n\n`

/** What a caller may see is decided when the stream begins: with other permissions, a new one begins. */
export function refuseOtherRole(before: CallerContext | undefined, now: CallerContext | undefined): void {
  const actorOf = (context: CallerContext | undefined) => (context as { readonly actor?: Actor } | undefined)?.actor
  const [one, other] = [actorOf(before), actorOf(now)]
  const isSame = one && other && one.permissions.symmetricDifference(other.permissions).size === 0
  if (!isSame) throw new Refusal('permissionMissing')
}
