// How does a test watch a number at an operator that reports SIM swaps, and send events in place of the operator?

import type { TestContext } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { contextOf } from '../../events/sealed-event.ts'
import type { startTestService, TestService } from '../../testing/test-service.ts'
import { watchPoller } from './poller.ts'

const { path } = endpoints.watchNumber
/** An ordinary number of the sandbox. */
export const number = '917020141726'
export const type = 'org.camaraproject.sim-swap-subscriptions.v0.swapped'

export const withSubscriptions = {
  edit: (parts: Parameters<NonNullable<NonNullable<Parameters<typeof startTestService>[2]>['edit']>>[0]) => ({
    ...parts,
    connectors: { sandbox: { ...parts.connectors.sandbox!, simSwapSubscriptions: {} } },
  }),
}

/** What the events about changes say, oldest first. */
export async function changesOf({ parts: needs, tenantId }: TestService) {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const events = await needs.database.query<{ id: Uint8Array; sealed: Uint8Array }>(
    "select id, sealed from event where type = 'telecom.number_changed' order by id",
  )
  return events.map(({ id, sealed }) => JSON.parse(keys.open(sealed, contextOf(id))))
}

export const subscriptionsOf = ({ parts: needs }: TestService) =>
  needs.database.query<{ sink_id: Uint8Array; subscription_id: string | null }>(
    'select sink_id, subscription_id from watch_subscription',
  )

/** The calls about subscriptions that the operator got. */
export const createdAt = ({ sandbox }: TestService) =>
  sandbox.calls.last(1000).filter(({ path: called }) => called.startsWith('/sim-swap-subscriptions/'))

/** The tokens that operators get, in their order. */
export function tokensOf(t: TestContext, { parts: needs }: TestService): string[] {
  const tokens: string[] = []
  for (const { swapSubscriptions } of needs.telecom.connectors.values()) {
    if (!swapSubscriptions) continue
    const { subscribe } = swapSubscriptions
    t.mock.method(swapSubscriptions, 'subscribe', (...args: Parameters<typeof subscribe>) => {
      tokens.push(args[1].accessToken)
      return subscribe(...args)
    })
  }
  return tokens
}

/** Sends an event as an operator does. @returns the error code, or the HTTP status and body of a success */
export async function notify({ url }: TestService, sinkId: Uint8Array, token: string, body: object) {
  const response = await fetch(`${url}/v1/telecom/notifications/${Buffer.from(sinkId).toString('hex')}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/cloudevents+json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return response.ok ? response.status + text : (JSON.parse(text) as { errorCode: string }).errorCode
}

export const cloudEvent = (id: string, atMs: number, data: object, kind = 'swapped') => ({
  ...{ id, source: 'https://operator.example', specversion: '1.0', type: type.replace('swapped', kind), data },
  time: new Date(atMs).toISOString(),
})

/** Watches the SIM of the number, and polls it once. */
export async function watched(service: TestService) {
  const { body } = await service.post(path, { phoneNumber: number, checks: ['simSwap'] })
  service.clock.advance({ seconds: 301 })
  const poller = watchPoller(service.parts)
  await poller.round()
  return { poller, watchId: body.watchId as string }
}

export const checkOf = async (service: TestService, watchId: string) => {
  const response = await fetch(`${service.url}${path}/${watchId}`, { headers: { ...service.credentials } })
  const { checks } = (await response.json()) as { checks: Record<string, unknown>[] }
  return checks[0]!
}
