// What does the sandbox know about a number, and how do you change it? SIM, forwarding, port, subscriber, operator limits.

import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { Refusal } from '../camara/errors.ts'
import { hourMs } from '../clock.ts'
import { changedNumbersLimit, dateTime, type LineChange } from '../lines.ts'
import type { Network } from '../network.ts'
import { type Operator, operatorById, operators } from '../operators.ts'
import { digitsPattern, isValidNumber } from '../phone-number.ts'
import { named } from '../portability.ts'
import { forwardingKinds } from '../scenarios.ts'
import { SentSubscriber } from '../subscriber/subscriber.ts'
import { readDateTime } from './date-time.ts'
import { subscriberChange } from './subscriber-change.ts'

const strict = { additionalProperties: false }
const hours = Type.Integer({ minimum: 1, maximum: 1_000_000 })
const operatorId = Type.Enum(operators.map(({ id }) => id))
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const NumberInPath = Type.Object({ digits: Type.String({ pattern: digitsPattern }) })

const NumberChange = Type.Object(
  {
    /** A date-time of RFC 3339. null: the operator may not say. */
    latestSimChange: Type.Optional(orNull(Type.String({ format: 'date-time' }))),
    /** The same, in hours before the sandbox's clock. */
    simChangedHoursAgo: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    monitoredPeriodDays: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 36_500 }))),
    lookBackHours: Type.Optional(orNull(hours)),
    forwarding: Type.Optional(orNull(Type.Array(Type.Enum([...forwardingKinds]), { uniqueItems: true }))),
    operator: Type.Optional(orNull(operatorId)),
    homeOperator: Type.Optional(orNull(operatorId)),
    subscriber: Type.Optional(SentSubscriber),
  },
  { ...strict, minProperties: 1 },
)
type NumberChange = Static<typeof NumberChange>

const OperatorInPath = Type.Object({ id: operatorId })
const OperatorChange = Type.Object({ lookBackHours: orNull(hours) }, strict)

export async function numberRoutes(app: FastifyInstance, { lines, clock }: Network): Promise<void> {
  type ByNumber = { Params: Static<typeof NumberInPath> }
  const params = NumberInPath

  app.get<ByNumber>('/sandbox/numbers/:digits', { schema: { params } }, (request) =>
    shown(valid(request.params.digits)),
  )

  app.patch<ByNumber & { Body: NumberChange }>(
    '/sandbox/numbers/:digits',
    { schema: { params, body: NumberChange } },
    (request) => {
      const digits = valid(request.params.digits)
      if (!lines.change(digits, lineChange(request.body, clock.now()))) {
        throw new Refusal(
          'conflict',
          `${changedNumbersLimit} numbers are already changed: reset them with DELETE /sandbox/numbers.`,
        )
      }
      return shown(digits)
    },
  )

  app.delete<ByNumber>('/sandbox/numbers/:digits', { schema: { params } }, (request) => {
    const digits = valid(request.params.digits)
    lines.reset(digits)
    return shown(digits)
  })

  app.delete('/sandbox/numbers', (_request, reply) => {
    lines.reset()
    return reply.code(204).send()
  })

  app.get('/sandbox/operators', () => ({ operators: operators.map(shownOperator) }))

  app.patch<{ Params: Static<typeof OperatorInPath>; Body: Static<typeof OperatorChange> }>(
    '/sandbox/operators/:id',
    { schema: { params: OperatorInPath, body: OperatorChange } },
    (request) => {
      const operator = operatorById(request.params.id)
      if (!operator) throw new Refusal('notFound')
      lines.limitLookBack(operator, request.body.lookBackHours)
      return shownOperator(operator)
    },
  )

  function shown(digits: string) {
    const { number, scenario, operator, homeOperator, ...facts } = lines.at(digits)
    return {
      number,
      scenario: scenario?.name ?? null,
      changedByHand: lines.isChanged(number),
      ...facts,
      operator: operator && named(operator),
      homeOperator: homeOperator && named(homeOperator),
      ported: operator && homeOperator && operator.id !== homeOperator.id,
    }
  }

  function shownOperator(operator: Operator) {
    return { ...operator, lookBackHours: lines.lookBackHoursOf(operator) }
  }
}

function valid(digits: string): string {
  if (!isValidNumber(digits))
    throw new Refusal(
      'identifierNotFound',
      'The number must be a valid phone number of a country, in digits with the country code.',
    )
  return digits
}

function lineChange(body: NumberChange, nowMs: number): LineChange {
  const { latestSimChange, simChangedHoursAgo, operator, homeOperator, subscriber, ...same } = body
  if (latestSimChange !== undefined && simChangedHoursAgo !== undefined) {
    throw new Refusal('invalidArgument', 'Send latestSimChange or simChangedHoursAgo, not both.')
  }
  return {
    ...same,
    ...(latestSimChange !== undefined && {
      latestSimChange: latestSimChange && readDateTime('latestSimChange', latestSimChange),
    }),
    ...(simChangedHoursAgo !== undefined && { latestSimChange: dateTime(nowMs - simChangedHoursAgo * hourMs) }),
    ...(operator !== undefined && { operator: operatorOrNull(operator) }),
    ...(homeOperator !== undefined && { homeOperator: operatorOrNull(homeOperator) }),
    ...(subscriber && { subscriber: subscriberChange(subscriber, nowMs) }),
  }
}

function operatorOrNull(id: string | null): Operator | null {
  return id === null ? null : (operatorById(id) ?? null)
}
