// Which events did the service deliver? A receiver of webhooks in the test, which checks each signature.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { verifyWebhook } from '@ringfence/node'
import type { WaitOptions } from './inbox.ts'
import { send } from './send.ts'

/** `type` says which members `data` has: docs/reference/events.md. */
export interface DeliveredEvent {
  readonly id: string
  readonly type: string
  /** RFC 3339. */
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface WebhookOptions {
  /** Where your own backend receives. */
  readonly url: string
  /** Types of events, or their beginnings such as `decision.*`. Default: all. */
  readonly types?: readonly string[]
}

export interface AddedWebhook {
  readonly id: string
  /** `whsec_…`, with which deliveries are signed. */
  readonly secret: string
}

export interface Receiver extends AddedWebhook {
  readonly url: string
  /**
   * The first event that was not returned before, of this type if one is given. Waits for it, by default 5 seconds.
   *
   * @throws NothingDelivered
   */
  next(type?: string, options?: WaitOptions): Promise<DeliveredEvent>
  /** Receives no more. It also ends with the process. */
  close(): Promise<void>
}

export interface Webhooks {
  /** Has your own backend receive events. */
  addWebhook(options: WebhookOptions): Promise<AddedWebhook>
  /** Receives events in the test itself. */
  receiveWebhooks(options?: Pick<WebhookOptions, 'types'>): Promise<Receiver>
}

/** No such event was delivered in time. The message says what was. */
export class NothingDelivered extends Error {
  override name = 'NothingDelivered'
}

const everyMs = 20

export function webhooks({ sandboxUrl, tenantId }: { sandboxUrl: string; tenantId: string }): Webhooks {
  const addWebhook = ({ url, types = ['*'] }: WebhookOptions) =>
    send<AddedWebhook>(`${sandboxUrl}/sandbox/tenants/${tenantId}/webhooks`, { body: { url, types } })
  return {
    addWebhook,
    async receiveWebhooks({ types } = {}) {
      const received = await startReceiver()
      const added = await addWebhook({ url: received.url, ...(types && { types }) })
      received.accept(added.secret)
      return { ...added, ...eventsOf(received) }
    },
  }
}

interface Deliveries {
  readonly url: string
  readonly events: DeliveredEvent[]
  /** Until then, deliveries are refused, and come again. */
  accept(secret: string): void
  close(): Promise<void>
}

async function startReceiver(): Promise<Deliveries> {
  const events: DeliveredEvent[] = []
  let secret: string | undefined
  const server = createServer(async (request, response) => {
    try {
      // Fails when the sender goes away, or when `close` ends its connection.
      const body = Buffer.concat(await request.toArray())
      response.statusCode = secret === undefined ? 503 : 204
      // The service signs with its own clock, which the test may have moved.
      const now = Number(request.headers['webhook-timestamp']) * 1000
      if (secret !== undefined) events.push(verifyWebhook({ body, headers: request.headers, secret, now }))
    } catch {
      response.statusCode = 400
    }
    response.end()
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    events,
    accept: (ofWebhook) => {
      secret = ofWebhook
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function eventsOf({ url, events, close }: Deliveries): Pick<Receiver, 'url' | 'next' | 'close'> {
  const returned = new Set<string>()
  const isNew = ({ id }: DeliveredEvent) => !returned.has(id)
  return {
    url,
    close,
    async next(type, { timeoutMs = 5000 } = {}) {
      const endsAt = performance.now() + timeoutMs
      for (;;) {
        const found = events.find((event) => isNew(event) && (type === undefined || event.type === type))
        if (found) {
          returned.add(found.id)
          return found
        }
        if (performance.now() > endsAt) {
          const others = events.filter(isNew).map((event) => event.type)
          const delivered = others.length === 0 ? 'nothing else was' : `${others.slice(0, 5).join(', ')} were`
          throw new NothingDelivered(`no ${type ?? 'event'} was delivered within ${timeoutMs} ms; ${delivered}`)
        }
        await wait(everyMs)
      }
    },
  }
}
