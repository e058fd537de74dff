// How does Ringfence ask a CAMARA operator (GSMA Open Gateway)? Each check with its API, as its row in the contract says.

import {
  type AnyCamaraApi,
  type Consent,
  checks,
  numberVerificationApi,
  type OperatorCheckName,
  operatorCheckNames,
  releasedPath,
} from '@ringfence/contract'
import { together } from '../../upstream/guard.ts'
import { TokenClient } from '../../upstream/oauth-token.ts'
import { apiUrl, limitsOf } from '../../upstream/upstream-settings.ts'
import { type CamaraClient, camaraClient } from './camara-api.ts'
import { camaraNumberVerification } from './camara-number-verification.ts'
import { CamaraSettings, defaults } from './camara-settings.ts'
import { camaraSubscriptions, subscriptionsApi, subscriptionsPath } from './camara-subscriptions.ts'
import {
  type AnswerCheck,
  CheckUnsupported,
  type Connector,
  type ConnectorKind,
  WindowUnsupported,
} from './connector.ts'
import { grantedPurposes } from './granted-purposes.ts'

export const camara: ConnectorKind<typeof CamaraSettings> = {
  type: 'camara',
  Config: CamaraSettings,
  create: (name, settings, resources) => connectorOf(openApis(name, settings, resources)),
}

type Resources = Parameters<ConnectorKind<typeof CamaraSettings>['create']>[2]

/** Opens the APIs that the operator offers. Throws for settings that contradict each other. */
function openApis(name: string, settings: CamaraSettings, resources: Resources) {
  const { baseUrl, sandbox } = settings
  const scopeFor = scopesOf(settings)
  const offered = operatorCheckNames.filter((check) => settings[check] !== undefined)
  if (offered.length === 0 && !settings.numberVerification) {
    const names = `${operatorCheckNames.slice(0, -1).join(', ')} or ${operatorCheckNames.at(-1)}`
    throw new Error(`it offers no check: add ${names} (an empty object suffices)`)
  }
  const limits = limitsOf(settings, resources.readSecret)
  const tokens = new TokenClient({ upstream: name, settings: settings.token, limits, sandbox }, resources)
  const shared = { upstream: name, limits: together(limits) }
  const checked = offered.map((check) => {
    const api: AnyCamaraApi = checks[check].camara!
    const { path = releasedPath(api.api), scope: wholeScope, baseUrl: own, calls } = settings[check] ?? {}
    const url = apiUrl(own ? `${check}.baseUrl` : 'baseUrl', own ?? baseUrl, path, sandbox)
    const scopeOf = (scope: string, consent?: Consent) => wholeScope ?? scopeFor(scope, api.api, consent)
    const client = camaraClient({ ...shared, api, baseUrl: url, tokens, scopeOf }, resources)
    return { check, client, calls: offeredCalls(api, calls) }
  })
  const numberVerification =
    settings.numberVerification &&
    camaraNumberVerification(
      {
        ...{ ...shared, baseUrl, token: settings.token, sandbox },
        settings: settings.numberVerification,
        scopeOf: (scope, consent) => scopeFor(scope, numberVerificationApi.api, consent),
      },
      resources,
    )
  const { simSwapSubscriptions } = settings
  // To end the subscription of an erased number needs a token that belongs to no number.
  if (simSwapSubscriptions && tokens.perNumber)
    throw new Error('simSwapSubscriptions needs tokens by client credentials: leave it out, or change token')
  const { baseUrl: own, path = subscriptionsPath, scope: wholeScope } = simSwapSubscriptions ?? {}
  const swapSubscriptions =
    simSwapSubscriptions &&
    camaraSubscriptions(
      {
        ...{ ...shared, tokens, wholeScope },
        baseUrl: apiUrl(own === undefined ? 'baseUrl' : 'simSwapSubscriptions.baseUrl', own ?? baseUrl, path, sandbox),
        scopeOf: (scope, consent) => scopeFor(scope, subscriptionsApi, consent),
      },
      resources,
    )
  return { name, sandbox, tokens, checked, numberVerification, swapSubscriptions }
}

function connectorOf(apis: ReturnType<typeof openApis>): Connector {
  const { name, sandbox, tokens, checked, numberVerification, swapSubscriptions } = apis
  return {
    name,
    ...(swapSubscriptions && { swapSubscriptions }),
    ...(numberVerification && { numberVerification }),
    ...(sandbox && { sandbox }),
    checks: Object.fromEntries(
      checked.map(({ check, client, calls }) => [check, answers(client, calls)]),
    ) as Connector['checks'],
    detectsConditionalForwarding: checked.some(
      ({ check, calls }) =>
        check === 'callForwarding' && calls.some(({ answers = () => true }) => answers({ conditional: true })),
    ),
    upstreams: () => [
      ...checked.map(({ client }) => client.state()),
      ...(numberVerification?.upstreams() ?? []),
      ...(swapSubscriptions ? [swapSubscriptions.state()] : []),
    ],
    // There is no token without a number where tokens belong to numbers, and none without a phone to verify one.
    ...(!tokens.perNumber &&
      checked.length > 0 && {
        async getToken(signal: AbortSignal) {
          await Promise.all(checked.map(({ client, calls }) => client.getToken(calls[0]!.scope, signal)))
        },
      }),
    async close() {
      await Promise.all([
        tokens.close(),
        numberVerification?.close(),
        swapSubscriptions?.close(),
        ...checked.map(({ client }) => client.close()),
      ])
    },
  }
}

/** How the scope of an access token is written for an API. */
function scopesOf(settings: CamaraSettings) {
  const { scopeFormat } = settings
  const purposeOf = purposesOf(settings)
  return (scope: string, api: string, consent?: Consent) => {
    const purpose = purposeOf(consent)
    if (scopeFormat === 'purpose#api') return `${purpose}#${api}`
    return scopeFormat === 'scope' ? scope : `${purpose} ${scope}`
  }
}

/** Maps the purpose of a call to that of its access token. */
function purposesOf({ purpose = defaults.purpose, purposes, scopeFormat, ...settings }: CamaraSettings) {
  if (!purposes) return () => purpose
  if (scopeFormat === 'scope') throw new Error('purposes needs a scopeFormat with the purpose in it')
  const apis = [...operatorCheckNames, 'simSwapSubscriptions' as const, 'numberVerification' as const]
  const fixed = apis.find((api) => settings[api]?.scope)
  if (fixed) throw new Error(`purposes: ${fixed}.scope is the same for every purpose; remove one of them`)
  return grantedPurposes(purposes, purpose)
}

type Call = AnyCamaraApi['calls'][number]

/** The calls that the configuration lists, in its order; by default the preferred one. */
function offeredCalls({ calls }: AnyCamaraApi, listed: readonly string[] | undefined): readonly Call[] {
  if (!listed) return calls.slice(0, 1)
  return listed.flatMap((resource) => calls.find((call) => call.resource === resource) ?? [])
}

type Asked = Parameters<AnswerCheck<OperatorCheckName>>

/** Sends the calls that answer the question. */
function answers(client: CamaraClient, calls: readonly Call[]): AnswerCheck<OperatorCheckName> {
  return (...asked) => {
    const fitting = calls.filter((call) => call.answers?.(asked[1]) !== false)
    const [only] = fitting
    return (fitting.length === 1 ? client.send(only!, ...asked) : firstSupported(client, fitting, asked)) as never
  }
}

/** Tries the calls in order, and continues only when the operator does not support one. */
async function firstSupported(client: CamaraClient, calls: readonly Call[], asked: Asked): Promise<unknown> {
  let refusal: unknown
  for (const call of calls) {
    try {
      return await client.send(call, ...asked)
    } catch (error) {
      if (!(error instanceof CheckUnsupported || error instanceof WindowUnsupported)) throw error
      // "A shorter window" helps the caller, and the refusal of another call does not take it back.
      if (error instanceof WindowUnsupported || !(refusal instanceof WindowUnsupported)) refusal = error
    }
  }
  throw refusal ?? new CheckUnsupported('none of the configured calls answers this question')
}
