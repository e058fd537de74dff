// Which faults can be switched on, and which one does the next call get?

import Type, { type Static, type TSchema } from 'typebox'
import { playedCalls } from './camara/played-calls.ts'
import { otpRoutes } from './camara/sent-codes.ts'
import { subscriptionsPath } from './camara/subscription-calls.ts'
import { InvalidInput, inputCheck } from './schema-check.ts'

/** All routes of the operator, without the admin API. */
export const routes: readonly string[] = [
  '/oauth2/token',
  '/oauth2/bc-authorize',
  '/oauth2/authorize',
  '/.well-known/oauth-authorization-server',
  ...playedCalls.map(({ path }) => path),
  subscriptionsPath,
  `${subscriptionsPath}/{id}`,
  ...otpRoutes,
  '/portability/v1/numbers/{digits}',
]
export type Route = string

const strict = { additionalProperties: false }
const milliseconds = (maximum: number) => Type.Integer({ minimum: 1, maximum })

const kinds = {
  /** The correct response, late: after this time, or when the fault is switched off. */
  slow: Type.Object({ kind: Type.Literal('slow'), delayMs: milliseconds(600_000) }, strict),
  /** Resets the connection (TCP RST) without a response. */
  reset: Type.Object({ kind: Type.Literal('reset') }, strict),
  /** Accepts the call and never responds; the connection stays open. */
  'half-open': Type.Object({ kind: Type.Literal('half-open') }, strict),
  /** The correct response, one byte at a time. */
  drip: Type.Object({ kind: Type.Literal('drip'), everyMs: milliseconds(60_000) }, strict),
  /** 200, declared as JSON, with bytes that are not JSON. */
  garbage: Type.Object({ kind: Type.Literal('garbage') }, strict),
  /** The correct response, declared as text/html. */
  'wrong-content-type': Type.Object({ kind: Type.Literal('wrong-content-type') }, strict),
  /** 200 with valid JSON of this many bytes. */
  'huge-body': Type.Object(
    { kind: Type.Literal('huge-body'), bytes: Type.Integer({ minimum: 1_000, maximum: 1_000_000_000 }) },
    strict,
  ),
  /** 307 to `location`; the default is a path on this server that returns 404. */
  redirect: Type.Object(
    { kind: Type.Literal('redirect'), location: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })) },
    strict,
  ),
  /** An error status, in the error format of the route. */
  status: Type.Object(
    {
      kind: Type.Literal('status'),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      /** CAMARA's code. Default: the usual one of the status. */
      code: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_.]{0,99}$' })),
      retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
    },
    strict,
  ),
} as const satisfies Record<string, TSchema>

export type FaultKind = keyof typeof kinds
export const faultKinds = Object.keys(kinds) as FaultKind[]
export type Fault = { [Kind in FaultKind]: Static<(typeof kinds)[Kind]> }[FaultKind]

const target = {
  /** Only calls of this route. Default: all routes. */
  route: Type.Optional(Type.Enum([...routes])),
  /** For this many calls. Default: until it is switched off. */
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
}

/** A fault with the calls that it applies to. */
export type AimedFault = Fault & { route?: Route; times?: number }
export type ActiveFault = AimedFault & { id: number }

/** Of one call. `off` aborts when the fault is switched off meanwhile. */
export interface TakenFault {
  readonly fault: Fault
  readonly off: AbortSignal
}

const kindCheck = inputCheck(Type.Object({ kind: Type.Enum(faultKinds) }))
const kindChecks = new Map(
  Object.entries(kinds).map(([kind, schema]) => [
    kind,
    inputCheck(Type.Object({ ...schema.properties, ...target }, strict)),
  ]),
)

/** Reads a fault from a request. Throws InvalidInput with a sentence that names the field. */
export function readFault(input: unknown): AimedFault {
  const named = kindCheck(input)
  if ('error' in named) throw named.error
  const read = kindChecks.get((named.value as { kind: string }).kind)?.(input)
  if (!read || 'error' in read) throw read?.error ?? new InvalidInput(`kind must be one of ${faultKinds.join(', ')}`)
  return read.value as AimedFault
}

export interface Faults {
  switchOn(fault: AimedFault): ActiveFault
  /** Takes the fault for a call of this route: the oldest one that applies. Counts as one of its `times`. */
  take(route: Route | undefined): TakenFault | undefined
  active(): readonly ActiveFault[]
  /** Returns false when no active fault has this id. */
  switchOff(id: number): boolean
  switchAllOff(): void
}

export function activeFaults(): Faults {
  const active = new Map<number, { readonly fault: ActiveFault; readonly off: AbortController }>()
  let lastId = 0
  const switchOff = (id: number) => {
    active.get(id)?.off.abort()
    return active.delete(id)
  }
  return {
    switchOn(fault) {
      lastId += 1
      const switched = { ...fault, id: lastId }
      active.set(lastId, { fault: switched, off: new AbortController() })
      return switched
    },
    take(route) {
      const found = [...active.values()].find(({ fault }) => fault.route === undefined || fault.route === route)
      if (!found) return undefined
      const { fault, off } = found
      if (fault.times === 1) active.delete(fault.id)
      else if (fault.times !== undefined) active.set(fault.id, { fault: { ...fault, times: fault.times - 1 }, off })
      return { fault, off: off.signal }
    },
    active: () => [...active.values()].map(({ fault }) => fault),
    switchOff,
    switchAllOff() {
      for (const id of [...active.keys()]) switchOff(id)
    },
  }
}
