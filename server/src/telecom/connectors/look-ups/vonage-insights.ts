// How does Ringfence ask Vonage Identity Insights? One request; each insight has its own status.

import { createPrivateKey, randomUUID } from 'node:crypto'
import { NotStated, purposePattern, timeOf, type Window } from '@ringfence/contract'
import { SignJWT } from 'jose'
import Type, { type Static, type TSchema } from 'typebox'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'
import type { PhoneNumber } from '../../../phone/phone-number.ts'
import { UpstreamError, type UpstreamErrorReason } from '../../../upstream/upstream-error.ts'
import type { Inquiry } from '../../inquiry.ts'
import { CheckUnsupported, type Connector, type ConnectorKind } from '../connector.ts'
import { grantedPurposes } from '../granted-purposes.ts'
import { included, lookUpApi, vendorConnector } from './look-up-api.ts'
import { lookUpProperties, OfferedChecks, Secret } from './look-up-settings.ts'
import { changedAt, Flag, flagOf, operatorIdOfBoth, statedOperator, Text, textOf, withZone } from './stated.ts'

const vendorUrl = 'https://api-eu.vonage.com'
const answered = ['simSwap', 'roaming', 'reachability'] as const
const tokenSeconds = 300
/** Vonage documents its times as UTC, and writes some without a zone. */
const utc = 'Z'

const Config = Type.Object(
  {
    type: Type.Literal('vonage-insights', { description: 'the kind of connector' }),
    applicationId: Type.String({ minLength: 1, description: 'application ID' }),
    privateKey: Secret('PEM of the private key of the application (RS256)'),
    purpose: Type.Optional(
      Type.String({
        pattern: '^\\w+$',
        default: 'FraudPreventionAndDetection',
        description: 'the purpose that the network application is registered for: that of calls without one',
      }),
    ),
    purposes: Type.Optional(
      Type.Record(Type.String({ pattern: purposePattern }), Type.String({ pattern: '^\\w{1,64}$' }), {
        additionalProperties: false,
        minProperties: 1,
        maxProperties: 32,
        description:
          'the purposes that it is registered for, by those that calls state. A call with another purpose is not sent. Default: `purpose`, by the same term of dpv',
      }),
    ),
    checks: OfferedChecks(answered),
    ...lookUpProperties(vendorUrl),
  },
  { additionalProperties: false },
)

const Insight = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Optional(Type.Object({ ...fields, status: Type.Object({ code: Type.String() }) }))
const Insights = Type.Object({
  sim_swap: Insight({ latest_sim_swap_at: Text, is_swapped: Flag }),
  roaming: Insight({
    is_roaming: Flag,
    latest_status_at: Text,
    country_codes: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  }),
  reachability: Insight({
    is_reachable: Flag,
    latest_status_at: Text,
    connectivity: Type.Optional(Type.Union([Type.Array(Type.Enum(['DATA', 'SMS'])), Type.Null()])),
  }),
  current_carrier: Insight({ network_code: Text }),
  original_carrier: Insight({ network_code: Text }),
})
type Insights = Static<typeof Insights>
const Response = compileOnUse(Type.Object({ insights: Insights }))

/** Statuses that say "not for this number": no operator is connected, or the network cannot answer it. */
const notOffered = new Set(['NO_COVERAGE', 'UNSUPPORTED_NETWORK_TYPE'])
const failures: Readonly<Record<string, UpstreamErrorReason>> = { SUPPLIER_ERROR: 'status', INTERNAL_ERROR: 'status' }

export const vonageInsights: ConnectorKind<typeof Config> = {
  type: 'vonage-insights',
  Config,
  create(name, settings, resources): Connector {
    const { applicationId, privateKey, checks: offered = answered } = settings
    const { purpose = 'FraudPreventionAndDetection', purposes = { [`dpv:${purpose}`]: purpose } } = settings
    const purposeOf = grantedPurposes(purposes, purpose)
    const { clock } = resources
    const key = keyOf(resources.readSecret(privateKey))
    const credentials = async () => {
      const issuedAt = Math.floor(clock.now() / 1000)
      const token = await new SignJWT({ application_id: applicationId })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + tokenSeconds)
        .setJti(randomUUID())
        .sign(key)
      return { authorization: `Bearer ${token}` }
    }
    const api = lookUpApi({ upstream: name, service: 'insights', settings, vendorUrl, credentials }, resources)

    const ask = async <Answer>(
      insights: { readonly [Name in keyof Insights]?: object },
      { digits }: PhoneNumber,
      inquiry: Inquiry,
      read: (found: Insights, described: string) => Answer,
    ): Promise<Answer> =>
      api.ask(
        {
          call: `insights/${Object.keys(insights).join('+')}`,
          path: '/v0.1/identity-insights',
          // The number is sent without a plus sign.
          body: { phone_number: digits, purpose: purposeOf(inquiry.consent), insights },
          Response,
          read: (body, described) => read(body.insights, described),
        },
        inquiry,
      )
    /** The insight, or what its status stands for. */
    function stated<Found extends { status: { code: string } }>(found: Found | undefined, described: string): Found {
      const code = found?.status.code ?? 'missing'
      if (found && (code === 'OK' || code === 'PARTIAL_SUCCESS')) return found
      if (notOffered.has(code)) throw new CheckUnsupported(`${described}, ${code}`)
      throw new UpstreamError(
        failures[code] ?? 'rejected',
        `${described}, ${/^\w{1,40}$/.test(code) ? code : 'unknown status'}`,
      )
    }

    const all: Connector['checks'] = {
      simSwap: (number, question: Window, inquiry) =>
        ask({ sim_swap: { period: question.maxAge } }, number, inquiry, ({ sim_swap }, described) => {
          const { latest_sim_swap_at, is_swapped } = stated(sim_swap, described)
          const latest = textOf(latest_sim_swap_at)
          if (latest !== undefined) return changedAt(latest, question, clock.now(), utc)
          const swapped = flagOf(is_swapped)
          if (swapped === undefined) throw new NotStated('neither a date nor a flag')
          return { swapped, maxAgeHours: question.maxAge }
        }),
      roaming: (number, _question, inquiry) =>
        ask({ roaming: {} }, number, inquiry, (insights, described) => {
          const { is_roaming, latest_status_at, country_codes } = stated(insights.roaming, described)
          const roaming = flagOf(is_roaming)
          if (roaming === undefined) throw new NotStated('no is_roaming')
          const [country, ...others] = country_codes ?? []
          const isKnown = roaming && country !== undefined && /^[A-Z]{2}$/.test(country) && others.length === 0
          return { roaming, ...(isKnown && { country }), ...statusAtOf(latest_status_at) }
        }),
      reachability: (number, _question, inquiry) =>
        ask({ reachability: {} }, number, inquiry, (insights, described) => {
          const { is_reachable, latest_status_at, connectivity } = stated(insights.reachability, described)
          const reachable = flagOf(is_reachable)
          if (reachable === undefined) throw new NotStated('no is_reachable')
          return { reachable, ...(connectivity?.length && { connectivity }), ...statusAtOf(latest_status_at) }
        }),
    }
    return {
      ...vendorConnector(name, settings, api, included(all, offered)),
      lookUpOperator: (number, inquiry) =>
        ask({ current_carrier: {}, original_carrier: {} }, number, inquiry, (insights, described) => {
          const operator = operatorIdOfBoth(stated(insights.current_carrier, described).network_code)
          const home = operatorIdOfBoth(insights.original_carrier?.network_code)
          // The carrier of the prefix is no statement on porting: operators merge, and share ranges.
          return statedOperator(clock.now(), { operator, homeOperator: home })
        }),
    }
  },
}

function statusAtOf(time: string | null | undefined): { statusAt?: string } {
  const ms = timeOf(withZone(textOf(time) ?? '', utc) ?? '')
  return Number.isNaN(ms) ? {} : { statusAt: new Date(ms).toISOString() }
}

function keyOf(pem: string) {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // Explained below, without the text of the key.
  }
  throw new Error('privateKey must be the PEM of an RSA private key')
}
