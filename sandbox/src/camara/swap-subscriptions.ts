// Where are SIM swaps reported? CAMARA sim-swap-subscriptions 0.4: a subscription has a sink, which gets a CloudEvent when you change the SIM.

import { randomUUID } from 'node:crypto'
import { camaraNumberPattern } from '@ringfence/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { needsScope } from '../access.ts'
import type { Network } from '../network.ts'
import { isValidNumber } from '../phone-number.ts'
import { validatesCorrelator } from './error-info.ts'
import { Refusal } from './errors.ts'
import { eventPrefix, subscriptionScopes, subscriptionsPath } from './subscription-calls.ts'

const mostSubscriptions = 10_000
/** A sink answers within this time, or the event is lost. */
const sinkMs = 5000

const dateTime = Type.String({ format: 'date-time' })
const SubscriptionRequest = Type.Object({
  protocol: Type.Literal('HTTP'),
  // http too: the sandbox calls services on this machine.
  sink: Type.String({ pattern: '^https?://.+$', maxLength: 2048 }),
  sinkCredential: Type.Optional(
    Type.Object({
      credentialType: Type.Literal('ACCESSTOKEN'),
      accessToken: Type.String({ minLength: 1, maxLength: 4096 }),
      accessTokenExpiresUtc: dateTime,
      accessTokenType: Type.Literal('bearer'),
    }),
  ),
  types: Type.Array(Type.Literal(`${eventPrefix}.swapped`), { minItems: 1, maxItems: 1 }),
  config: Type.Object({
    subscriptionDetail: Type.Object({ phoneNumber: Type.Optional(Type.String({ pattern: camaraNumberPattern })) }),
    subscriptionExpireTime: Type.Optional(dateTime),
    subscriptionMaxEvents: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
})
type SubscriptionRequest = Static<typeof SubscriptionRequest>

interface Subscription {
  readonly id: string
  readonly request: SubscriptionRequest
  readonly startsAt: string
}

export async function swapSubscriptionRoutes(app: FastifyInstance, network: Network): Promise<void> {
  const { clock, lines, issuer } = network
  const subscriptions = new Map<string, Subscription>()
  const closing = new AbortController()
  app.addHook('onClose', async () => closing.abort())

  app.post<{ Body: SubscriptionRequest }>(
    subscriptionsPath,
    {
      schema: { body: SubscriptionRequest },
      onRequest: [needsScope(network, subscriptionScopes.create), validatesCorrelator],
    },
    (request, reply) => {
      const { phoneNumber } = request.body.config.subscriptionDetail
      if (phoneNumber === undefined) throw new Refusal('missingIdentifier')
      const digits = phoneNumber.slice(1)
      if (!isValidNumber(digits)) throw new Refusal('identifierNotFound')
      if (!lines.at(digits).operator?.offersChecks) throw new Refusal('serviceNotApplicable')
      if (subscriptions.size >= mostSubscriptions) throw new Refusal('tooManyRequests')
      const startsAt = new Date(clock.now()).toISOString()
      const subscription: Subscription = { id: randomUUID(), request: request.body, startsAt }
      subscriptions.set(subscription.id, subscription)
      return reply.code(201).send(shown(subscription))
    },
  )

  type ById = { Params: { id: string } }
  app.get<ById>(
    `${subscriptionsPath}/:id`,
    { onRequest: [needsScope(network, subscriptionScopes.read), validatesCorrelator] },
    (request) => shown(found(request)),
  )

  app.delete<ById>(
    `${subscriptionsPath}/:id`,
    { onRequest: [needsScope(network, subscriptionScopes.delete), validatesCorrelator] },
    async (request, reply) => {
      const subscription = found(request)
      subscriptions.delete(subscription.id)
      await send(subscription, 'subscription-ended', { terminationReason: 'SUBSCRIPTION_DELETED' })
      return reply.code(204).send()
    },
  )

  lines.onChange((number, { latestSimChange }) => {
    if (!latestSimChange) return
    for (const subscription of subscriptions.values()) {
      const { subscriptionDetail, subscriptionExpireTime } = subscription.request.config
      if (subscriptionDetail.phoneNumber !== `+${number}`) continue
      if (subscriptionExpireTime !== undefined && Date.parse(subscriptionExpireTime) <= clock.now()) {
        subscriptions.delete(subscription.id)
        continue
      }
      void send(subscription, 'swapped', { phoneNumber: `+${number}` }, latestSimChange)
    }
  })

  function found({ params }: FastifyRequest<ById>): Subscription {
    const subscription = subscriptions.get(params.id)
    if (!subscription) throw new Refusal('notFound')
    return subscription
  }

  /** An event that the sink does not take is lost, as at an operator that does not repeat it. */
  async function send({ id, request }: Subscription, type: string, data: object, time?: string): Promise<void> {
    const { sink, sinkCredential } = request
    const event = {
      id: randomUUID(),
      source: `${issuer()}${subscriptionsPath}`,
      specversion: '1.0',
      type: `${eventPrefix}.${type}`,
      time: time ?? new Date(clock.now()).toISOString(),
      datacontenttype: 'application/json',
      data: { subscriptionId: id, ...data },
    }
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(sinkMs)])
    const authorization = sinkCredential && { authorization: `Bearer ${sinkCredential.accessToken}` }
    await fetch(sink, {
      method: 'POST',
      headers: { 'content-type': 'application/cloudevents+json', ...authorization },
      body: JSON.stringify(event),
      redirect: 'manual',
      signal,
    })
      .then((response) => response.body?.cancel())
      .catch(() => undefined)
  }
}

/** Without the credential. */
function shown({ id, request: { sinkCredential: _, ...request }, startsAt }: Subscription) {
  const { subscriptionExpireTime } = request.config
  return {
    ...request,
    id,
    startsAt,
    ...(subscriptionExpireTime !== undefined && { expiresAt: subscriptionExpireTime }),
    status: 'ACTIVE',
  }
}
