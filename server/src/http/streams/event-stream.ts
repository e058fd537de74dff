// How are server-sent events written? Until the caller leaves, may no longer read, or reads too slowly. (WHATWG HTML, 9.2)

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Actor } from '../../admin/actor.ts'
import { Refusal } from '../../core/errors.ts'
import type { EventOutlet, StreamAnswer, StreamedEvent } from '../../core/stream-answer.ts'
import type { CallerContext } from '../credentials/caller-context.ts'
import type { Reply } from '../response/reply.ts'

/** More often than a proxy closes a silent connection. */
const heartbeatMs = 15_000
/** How long a session that ended, or a permission that was taken away, may still be in use. */
const recheckMs = 5_000
/** Who has not read this many bytes is disconnected, and connects again when they can. */
const mostUnread = 1_000_000
const enough = 100_000

/** The streams of one server. */
export class OpenStreams {
  readonly #open = new Set<() => void>()
  #isClosed = false

  /** The server closes, so all streams end: their callers connect again, to another server. */
  close(): void {
    this.#isClosed = true
    for (const end of this.#open) end()
  }

  /**
   * Sends the head, and events until the stream ends. `mayStill` rejects when the caller may no longer read. Throws at once what the
   * stream refuses with.
   */
  send(answer: StreamAnswer, reply: Reply, mayStill: () => Promise<unknown>): Promise<void> {
    // Here and not earlier: from here on its end is sure to be heard of.
    const leave = answer.enter()
    return this.#sendFrom(answer, reply, mayStill, leave)
  }

  async #sendFrom(answer: StreamAnswer, reply: Reply, mayStill: () => Promise<unknown>, leave: () => void) {
    reply.header('content-type', 'text/event-stream; charset=utf-8')
    reply.header('x-accel-buffering', 'no') // nginx would collect events
    const { raw } = reply
    const ended = new AbortController()
    const end = () => {
      if (ended.signal.aborted) return
      ended.abort()
      this.#open.delete(end)
      clearInterval(beating)
      clearInterval(checking)
      leave()
      raw.end()
    }
    const beating = setInterval(() => raw.write(':\n\n'), heartbeatMs)
    const checking = setInterval(() => void mayStill().catch(end), recheckMs)
    this.#open.add(end)
    raw.once('close', end)
    if (raw.destroyed) return end()
    reply.open() // sent with the first bytes: who has the head misses nothing
    if (this.#isClosed) return end()
    await answer.open(outletOf(raw, ended.signal, end)).catch(end)
  }
}

const outletOf = (raw: ServerResponse, signal: AbortSignal, end: () => void): EventOutlet => ({
  signal,
  end,
  begin: () => void (signal.aborted || raw.write(': watching\n\n')),
  send(events) {
    if (signal.aborted || events.length === 0) return
    raw.write(events.map(textOf).join(''))
    if (raw.writableLength > mostUnread) end()
  },
  async drained() {
    while (!signal.aborted && raw.writableLength > enough) await once(raw, 'drain', { signal }).catch(() => undefined)
  },
})

const textOf = ({ id, data }: StreamedEvent) => `id: ${id}\ndata: ${data}\n\n`

/** What a caller may see is decided when the stream begins: with other permissions, a new one begins. */
export function refuseOtherRole(before: CallerContext | undefined, now: CallerContext | undefined): void {
  const actorOf = (context: CallerContext | undefined) => (context as { readonly actor?: Actor } | undefined)?.actor
  const [one, other] = [actorOf(before), actorOf(now)]
  const isSame = one && other && one.permissions.symmetricDifference(other.permissions).size === 0
  if (!isSame) throw new Refusal('permissionMissing')
}
