// How does Ringfence ask any JSON API? As its configuration describes it; a mapping that cannot work is refused at start.

import {
  type AnyCheck,
  checks,
  NotStated,
  type OperatorCheckName,
  operatorCheckNames,
  type Window,
} from '@ringfence/contract'
import Type, { type TSchema } from 'typebox'
import Value from 'typebox/value'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'
import type { PhoneNumber } from '../../../phone/phone-number.ts'
import type { UpstreamResponse } from '../../../upstream/guard.ts'
import type { Inquiry } from '../../inquiry.ts'
import {
  type AnswerCheck,
  CheckUnsupported,
  type Connector,
  type ConnectorKind,
  ParametersUnsupported,
  WindowUnsupported,
} from '../connector.ts'
import { lookUpApi, vendorConnector } from '../look-ups/look-up-api.ts'
import { changedAt, flagForWindow, operatorIdOf, statedOperator } from '../look-ups/stated.ts'
import { HttpSettings, type Mapping, type Outcome, type Sample } from './http-settings.ts'
import { type Reading, readingOf } from './reading.ts'
import { checkNames, filledBody, filledPath, filledText, namesIn, numberNames, numberValues } from './template.ts'

const AnyJson = compileOnUse(Type.Unknown())

/** What a mapped response means for a question. */
type Means = (fields: Record<string, unknown>, question: Readonly<Record<string, unknown>>, nowMs: number) => unknown

export const http: ConnectorKind<typeof HttpSettings> = {
  type: 'http',
  Config: HttpSettings,
  create(name, settings, resources): Connector {
    const { baseUrl, headers = {}, secrets = {}, checks: mapped = {}, operator } = settings
    const secretValues = Object.fromEntries(
      Object.entries(secrets).map(([each, reference]) => [`secret.${each}`, resources.readSecret(reference)]),
    )
    const headerNames = [...numberNames, ...Object.keys(secretValues)]
    for (const [each, template] of Object.entries(headers)) checkNames(`headers.${each}`, template, headerNames)
    const offered = operatorCheckNames.filter((check) => mapped[check] !== undefined)
    if (offered.length === 0 && !operator) throw new Error('it asks nothing: add checks, operator or both')
    const api = lookUpApi(
      { upstream: name, service: 'http', settings, vendorUrl: baseUrl, credentials: () => ({}) },
      resources,
    )

    const opened = (at: string, mapping: Mapping, known: Record<string, TSchema>, params: Params, means: Means) => {
      const reading = readingOf(at, mapping, known)
      checkNames(`${at}.path`, mapping.path, [...numberNames, ...params.sure])
      checkNames(`${at}.body`, mapping.body, [...numberNames, ...params.sure, ...params.optional])
      for (const [each, template] of Object.entries(mapping.headers ?? {})) {
        checkNames(`${at}.headers.${each}`, template, headerNames)
      }
      mapping.samples.forEach((sample, index) => {
        proved(`${at}.samples.${index}`, sample, reading, means, resources.clock.now())
      })
      return (number: PhoneNumber, question: Readonly<Record<string, unknown>>, inquiry: Inquiry) => {
        const values = { ...question, ...numberValues(number), ...secretValues }
        const sent = { ...headers, ...mapping.headers }
        return api.ask(
          {
            call: at,
            path: filledPath(mapping.path, values),
            headers: Object.fromEntries(Object.entries(sent).map(([each, text]) => [each, filledText(text, values)])),
            ...(mapping.body !== undefined && { body: filledBody(mapping.body, values) }),
            Response: AnyJson,
            read: (body, described) =>
              means(reading.fields({ status: 200, body }, described), question, resources.clock.now()),
            refusalOf: reading.failureOf,
          },
          inquiry,
        )
      }
    }

    const answers = offered.map((check) => {
      const mapping = mapped[check]!
      const row: AnyCheck = checks[check]
      const at = `checks.${check}`
      const ask = opened(at, mapping, row.Answer.properties, paramsOf(row), meansOf(at, row, mapping))
      const answer: typeof ask = async (number, question, inquiry) => {
        refuseUnsent(at, row, mapping, question)
        return ask(number, question, inquiry)
      }
      return [check, answer as AnswerCheck<OperatorCheckName>] as const
    })
    const lookUp = operator && opened('operator', operator, OperatorFields, { sure: [], optional: [] }, operatorOf)
    return {
      ...vendorConnector(name, settings, api, Object.fromEntries(answers)),
      ...(lookUp && { lookUpOperator: (number, inquiry) => lookUp(number, {}, inquiry) as never }),
    }
  },
}

interface Params {
  /** Every question has them. */
  readonly sure: readonly string[]
  readonly optional: readonly string[]
}

/** Two checks have a window, whose length every question has. */
const isWindowed = ({ Answer }: AnyCheck) => 'maxAgeHours' in Answer.properties

function paramsOf(row: AnyCheck): Params {
  const required: readonly string[] = row.Params.required ?? []
  const all = Object.keys(row.Params.properties)
  const sure = isWindowed(row) ? all : required
  return { sure, optional: all.filter((name) => !sure.includes(name)) }
}

/** The answer to a request without what the caller asked for is the answer to another question. */
function refuseUnsent(at: string, row: AnyCheck, { path, body }: Mapping, question: Readonly<Record<string, unknown>>) {
  if (question.conditional) throw new CheckUnsupported(`${at}: which kinds of forwarding its flag counts is not known`)
  if (isWindowed(row)) return
  const { sure, optional } = paramsOf(row)
  const sent = new Set([...namesIn(path), ...namesIn(body)])
  const asked = optional.filter((param) => question[param] !== undefined)
  const unsent = asked.filter((param) => !sent.has(param))
  if (unsent.length === 0) return
  // A comparison of several fields says which ones it compared; of none of them, it says nothing.
  if (sure.length > 0) {
    const names = unsent.join(', ')
    throw new ParametersUnsupported(`${at}: the request does not send ${names}`, `leave out ${names}`)
  }
  if (unsent.length === asked.length) throw new CheckUnsupported(`${at}: the request sends nothing to compare`)
}

/** Throws an error that names what the mapping lacks. */
function meansOf(at: string, row: AnyCheck, { answer, hours, utcOffset, path, body }: Mapping): Means {
  const has = (field: string) => Object.hasOwn(answer, field)
  if (isWindowed(row)) {
    const asksWindow = [...namesIn(path), ...namesIn(body)].includes('maxAge')
    if (!has('swapped') && !has('latestChange')) throw new Error(`${at}.answer lacks swapped or latestChange`)
    if (!has('latestChange') && !asksWindow && hours === undefined) {
      throw new Error(`${at}.answer.swapped is for one window: put {maxAge} into the request, or set ${at}.hours`)
    }
    return ({ latestChange, swapped }, question, nowMs) => {
      const window = question as unknown as Window
      if (latestChange !== undefined) return changedAt(String(latestChange), window, nowMs, utcOffset)
      return flagForWindow(swapped, asksWindow ? window.maxAge : hours, window)
    }
  }
  const echoed = Object.keys(row.Answer.properties).filter((field) => field in row.Params.properties && !has(field))
  const missing = (row.Answer.required ?? []).filter((field: string) => !has(field) && !echoed.includes(field))
  if (missing.length > 0) throw new Error(`${at}.answer lacks ${missing.join(', ')}`)
  const sent = new Set([...namesIn(path), ...namesIn(body)])
  const required: readonly string[] = row.Params.required ?? []
  const unsent = required.find((param) => !sent.has(param))
  if (unsent !== undefined) {
    throw new Error(
      `${at} does not send ${unsent}, so that its answer is for another question: put {${unsent}} into path or body`,
    )
  }
  return (fields, question) => {
    const found = { ...Object.fromEntries(echoed.map((field) => [field, question[field]])), ...fields }
    if (Value.Check(row.Answer, found)) return found
    throw new NotStated('its fields are no answer to the check')
  }
}

const OperatorFields = {
  operator: Type.String(),
  homeOperator: Type.String(),
  mcc: Type.String(),
  mnc: Type.String(),
  ported: Type.Boolean(),
}

function operatorOf({ operator, homeOperator, mcc, mnc, ported }: Record<string, unknown>, _: unknown, asOf: number) {
  const serving = nameOf(operator) ?? operatorIdOf(codeOf(mcc), codeOf(mnc))
  const home = nameOf(homeOperator)
  if (ported !== undefined && typeof ported !== 'boolean') throw new NotStated('ported is not a flag')
  return statedOperator(asOf, { operator: serving, homeOperator: home, ported })
}

function nameOf(operator: unknown): string | undefined {
  if (operator === undefined) return undefined
  const isName = typeof operator === 'number' || (typeof operator === 'string' && operator.length <= longestName)
  if (!isName) throw new NotStated('an operator is not a text')
  return String(operator)
}

const longestName = 200

/** A number has lost its zeros: 45 may be the network code 45 or 045, which are two operators. */
const codeOf = (code: unknown) => (typeof code === 'string' || Number(code) >= 100 ? String(code) : undefined)

/** Throws an error that names the sample that does not mean what it must. */
function proved(at: string, sample: Sample, reading: Reading, means: Means, nowMs: number): void {
  const { status = 200, response: body, params = {}, recordedAt, answer, means: outcome } = sample
  if ((answer === undefined) === (outcome === undefined)) throw new Error(`${at} needs one of answer and means`)
  const atMs = recordedAt === undefined ? nowMs : Date.parse(recordedAt)
  if (Number.isNaN(atMs)) throw new Error(`${at}.recordedAt is not a date and time, such as 2026-03-01T12:00:00Z`)
  const found = outcomeOf(() => {
    const response: UpstreamResponse = { status, body }
    if (status >= 300) throw reading.failureOf(response, 'sample') ?? new Error('failed')
    return means(reading.fields(response, 'sample'), { maxAge: 240, ...params }, atMs)
  })
  const isRight =
    answer === undefined
      ? found.means === outcome
      : found.answer !== undefined &&
        Object.entries(answer).every(([field, value]) =>
          Value.Equal(value, (found.answer as Record<string, unknown>)[field]),
        )
  if (!isRight)
    throw new Error(`${at} must mean ${shown(answer ?? outcome)}, and means ${shown(found.answer ?? found.means)}`)
}

function outcomeOf(read: () => unknown): { answer?: unknown; means?: Outcome } {
  try {
    return { answer: read() }
  } catch (error) {
    if (error instanceof CheckUnsupported) return { means: 'unsupported' }
    if (error instanceof ParametersUnsupported) return { means: 'parameters' }
    return { means: error instanceof WindowUnsupported ? 'window' : 'failed' }
  }
}

/** Without the time of an operator's answer, which is that of the check and no part of a sample. */
const shown = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, (key, part) => (key === 'asOf' ? undefined : part))
