// How does a test receive webhooks? A service with its dispatcher, and receivers that answer as a script says.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NewEvent } from '../../core/event-recorder.ts'
import type { Database } from '../../core/storage/database.ts'
import { atEnd, type Ending } from '../../testing/at-end.ts'
import { bodyOf } from '../../testing/body-of.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../../testing/test-service.ts'
import { Dispatcher } from '../delivery/dispatcher.ts'
import { type Resolve, resolveLocally } from '../webhooks/target.ts'
import { Webhooks } from '../webhooks/webhooks.ts'

export interface Received {
  headers: Record<string, string>
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field that it expects
  message: any
}

export interface ScriptedReceiver {
  url: string
  /** What arrived, in order, whatever the answer was. */
  received: Received[]
  connections(): number
}

/** `answer`: by default 200. */
export async function scriptedReceiver(
  t: Ending,
  answer: (request: Received, response: ServerResponse, raw: IncomingMessage) => void = (_, response) =>
    void response.end(),
): Promise<ScriptedReceiver> {
  const received: Received[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const one = { headers: request.headers as Record<string, string>, body, message: JSON.parse(body) }
    received.push(one)
    answer(one, response, request)
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    connections: () => connections,
  }
}

export interface WebhookService extends TestService {
  webhooks: Webhooks
  dispatcher: Dispatcher
  /** Records that version `version` of the rules went live. */
  happen(version: number, orderedBy?: string): Promise<void>
}

export async function startWebhookService(
  t: Ending,
  database: Database,
  { resolve = resolveLocally, ...options }: TestServiceOptions & { resolve?: Resolve } = {},
): Promise<WebhookService> {
  const settings = { webhookTargets: 'any' as const, ...options.settings }
  const service = await startTestService(t, database, { ...options, settings })
  const { parts: needs, tenantId } = service
  const delivering = new Dispatcher({ ...needs, resolve })
  atEnd(t, () => delivering.close())
  return {
    ...service,
    webhooks: new Webhooks(needs),
    dispatcher: delivering,
    async happen(version, orderedBy = 'rules') {
      const event: NewEvent = { type: 'rules.changed', data: { change: 'live', version, by: 'maya' }, orderedBy }
      await needs.database.batch(await needs.events.statements(tenantId, [event]))
    },
  }
}
