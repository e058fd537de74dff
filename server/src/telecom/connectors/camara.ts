// How does Ringfence check a number with a CAMARA operator (GSMA Open Gateway)? With SIM Swap v2 and Call Forwarding Signal v0.4.

import Type, { type Static } from 'typebox'
import { tokenClient } from '../../upstream/oauth-token.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { limitsOf, readUrl } from '../../upstream/upstream-settings.ts'
import { type CamaraApi, camaraApi, camaraCall } from './camara-api.ts'
import { CamaraSettings, defaults } from './camara-settings.ts'
import { CheckUnsupported, type Connector, type ConnectorKind, WindowUnsupported } from './connector.ts'

export const camara: ConnectorKind<typeof CamaraSettings> = {
  type: 'camara',
  Config: CamaraSettings,
  create(name, settings, resources) {
    const { baseUrl, simSwap, callForwarding, sandbox, purpose = defaults.purpose, scopeFormat } = settings
    if (!simSwap && !callForwarding)
      throw new Error('it offers no check: add simSwap, callForwarding or both (an empty object suffices)')
    const limits = limitsOf(settings, resources.readSecret)
    const tokens = tokenClient({ upstream: name, settings: settings.token, limits, sandbox }, resources)

    function open(api: string, key: 'simSwap' | 'callForwarding'): CamaraApi {
      const { path = defaults[key].path, scope: wholeScope, baseUrl: own } = settings[key] ?? {}
      const url = readUrl(own ? `${key}.baseUrl` : 'baseUrl', (own ?? baseUrl).replace(/\/+$/, '') + path, sandbox)
      const scopeOf = (scope: string) => {
        if (wholeScope) return wholeScope
        if (scopeFormat === 'purpose#api') return `${purpose}#${api}`
        return scopeFormat === 'scope' ? scope : `${purpose} ${scope}`
      }
      return camaraApi({ upstream: name, api, baseUrl: url, limits, tokens, scopeOf }, resources)
    }
    const swaps = simSwap && open('sim-swap', 'simSwap')
    const forwardings = callForwarding && open('call-forwarding-signal', 'callForwarding')
    return {
      name,
      ...(sandbox && { sandbox }),
      ...(swaps && { simSwappedWithin: simSwappedWithin(swaps, simSwap.calls, () => resources.clock.now()) }),
      ...(forwardings && {
        isForwarded: isForwarded(forwardings, callForwarding.calls),
        detectsConditionalForwarding: (callForwarding.calls ?? []).includes('call-forwardings'),
      }),
      upstreams: () => [swaps, forwardings].flatMap((api) => (api ? [api.state()] : [])),
      async getToken(signal) {
        await Promise.all([
          swaps?.getToken(
            (simSwap?.calls ?? defaults.simSwap.calls).includes('check') ? check.scope : retrieveDate.scope,
            signal,
          ),
          forwardings?.getToken(
            (callForwarding?.calls ?? []).includes('call-forwardings') ? allKinds.scope : unconditional.scope,
            signal,
          ),
        ])
      },
      async close() {
        await Promise.all([tokens.close(), swaps?.close(), forwardings?.close()])
      },
    }
  },
}

const check = camaraCall('check', 'sim-swap:check', Type.Object({ swapped: Type.Boolean() }))

const LatestChange = Type.Object({
  /** RFC 3339; CAMARA's own examples have nine fractional digits. */
  latestSimChange: Type.Union([
    Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)$' }),
    Type.Null(),
  ]),
  /** Days. */
  monitoredPeriod: Type.Optional(Type.Integer({ minimum: 0 })),
})
const retrieveDate = camaraCall('retrieve-date', 'sim-swap:retrieve-date', LatestChange)

function simSwappedWithin(
  api: CamaraApi,
  calls: readonly ('check' | 'retrieve-date')[] = defaults.simSwap.calls,
  now: () => number,
): NonNullable<Connector['simSwappedWithin']> {
  return (number, maxAgeHours, inquiry) =>
    firstSupported(calls, async (call) => {
      if (call === 'check') return (await api.send(check, number, inquiry, { maxAge: maxAgeHours })).swapped
      return changedWithin(await api.send(retrieveDate, number, inquiry), maxAgeHours, now())
    })
}

const hourMs = 3_600_000

function changedWithin({ latestSimChange, monitoredPeriod }: Static<typeof LatestChange>, hours: number, now: number) {
  const call = 'sim-swap/retrieve-date'
  if (latestSimChange === null) {
    // Null means "no change during the monitored period". Without a period it may also mean that the number has no SIM.
    if (monitoredPeriod === undefined) throw new UpstreamError('format', `${call}: neither date nor period`)
    if (monitoredPeriod * 24 >= hours) return false
    throw new WindowUnsupported(`${call}: no date, and the monitored period is shorter than the window`)
  }
  const ageMs = now - Date.parse(latestSimChange.toUpperCase())
  // Up to a day ahead, a clock or a time zone is wrong and the change is recent. Further ahead, the date is wrong.
  if (Number.isNaN(ageMs) || ageMs < -24 * hourMs) throw new UpstreamError('format', `${call}: impossible date`)
  return ageMs <= hours * hourMs
}

/** CAMARA's schema does not require `active`, but a response without it answers nothing. */
const unconditional = camaraCall(
  'unconditional-call-forwardings',
  'call-forwarding-signal:unconditional-call-forwardings:read',
  Type.Object({ active: Type.Boolean() }),
)

const allKinds = camaraCall(
  'call-forwardings',
  'call-forwarding-signal:call-forwardings:read',
  Type.Union([
    Type.Array(Type.Literal('inactive'), { minItems: 1, maxItems: 1 }),
    Type.Array(Type.Enum(['unconditional', 'conditional_busy', 'conditional_not_reachable', 'conditional_no_answer']), {
      minItems: 1,
    }),
  ]),
)

function isForwarded(
  api: CamaraApi,
  calls: readonly ('unconditional-call-forwardings' | 'call-forwardings')[] = defaults.callForwarding.calls,
): NonNullable<Connector['isForwarded']> {
  return async (number, conditional, inquiry) => {
    if (conditional && !calls.includes('call-forwardings')) {
      throw new CheckUnsupported(
        'only call-forwardings reports conditional forwarding, and callForwarding.calls does not list it',
      )
    }
    return firstSupported(conditional ? ['call-forwardings'] : calls, async (call) => {
      if (call === 'unconditional-call-forwardings') return (await api.send(unconditional, number, inquiry)).active
      const kinds = await api.send(allKinds, number, inquiry)
      return kinds.some((kind) => kind === 'unconditional' || (conditional && kind !== 'inactive'))
    })
  }
}

/** Tries the calls in order, and continues only when the upstream does not support one. */
async function firstSupported<Call, Answer>(
  calls: readonly Call[],
  send: (call: Call) => Promise<Answer>,
): Promise<Answer> {
  let unsupported: unknown
  for (const call of calls) {
    try {
      return await send(call)
    } catch (error) {
      if (!(error instanceof CheckUnsupported || error instanceof WindowUnsupported)) throw error
      unsupported = error
    }
  }
  throw unsupported
}
