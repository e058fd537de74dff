// What does the reference page Errors say? It is made from the table of failures, and from the refusals of each endpoint in the contract.

import {
  type AdminEndpoint,
  type Endpoint,
  type ErrorFormat,
  everyEndpoint,
  type Failure,
  type FailureName,
  failureOfSample,
  failures,
} from '@ringfence/contract'
import { Refusal } from '@ringfence/server/core/errors.ts'
import { surface } from '@ringfence/server/features.ts'
import { errorFormats } from '@ringfence/server/http/response/error-formats.ts'
import { code, page, table } from './markdown.ts'

type Listed = Endpoint | AdminEndpoint

const failuresByEndpoint = new Map(everyEndpoint.map((each) => [each, readFailures(each)] as const))
const failuresOf = (each: Listed): Set<FailureName> => failuresByEndpoint.get(each)!

const formats = Object.keys(errorFormats) as ErrorFormat[]
const names = Object.keys(failures) as FailureName[]

export function errorsPage(): string {
  const example = (format: ErrorFormat, refusal?: Refusal) =>
    code(JSON.stringify(errorFormats[format](refusal, '…').body))
  return page(
    'Errors',
    `1. Read the HTTP status.
2. On 200, read \`success\` where the body has it. Read the result only when \`success\` is true.
3. When you ask for support, quote the header \`x-request-id\`: the server log has the cause under this id.`,
    `## Error formats\n\nThe body of an error depends on [the endpoint](#errors-of-each-endpoint). A path that does not exist has the format of its neighbours.\n`,
    table(
      ['format', 'body of a 4xx or 503', 'body of a 500'],
      formats.map((format) => [code(format), example(format, new Refusal('invalidJson')), example(format)]),
    ),
    `- \`telecom\`: a check that an operator could not complete is a 200 with \`success\` false. \`error\` then has the three fields, and
  \`phoneDetail\` is there if it is known.
- \`auth\`: error codes have no \`P\`. A wrong field is \`7102\`, where the telecom checks say \`P7102\`.
- \`device\`: \`errorMessage\` is the description, without a code, and \`requestId\` is the id of the request.
- \`legacy\`: only \`message\`, as older SDKs expect it. An invalid token has the format \`auth\`, and an expired one is a 400.
- \`oauth\`: as RFC 6749, section 5.2 defines it.
- \`camara\`: as CAMARA's Commonalities define it. A check without an answer is a 404, 422 or 503 here, never a 200.
- \`problem\`: as RFC 9457 defines it, with \`application/problem+json\`. \`type\` has the name of the error.`,
    ...allErrors(),
    ...endpointErrors(),
    `The telecom checks also return \`operatorUnknown\`, \`simSwapFailed\` and \`callForwardingFailed\`, with 200 and \`success\` false.`,
  )
}

/** Errors of several formats, then those of each. */
function allErrors(): string[] {
  const groups = Map.groupBy(names, (name) => {
    const found = formatsOf(name)
    return found.length === 1 ? found[0]! : 'several'
  })
  const usual = [...usualMessages].map(([status, message]) => `${status} ${message}`).join(', ')
  return [
    `## All errors

*Words in italics* are replaced; *mistake* is for example "platform must be one of WEB, IOS, ANDROID". A 200 has \`success\` false. Without a message in the table, it is
that of the status: ${usual}. \`code\` is \`errorCode\`, or \`error\` for \`oauth\`; \`device\` and \`legacy\` send none. Only \`problem\` sends the name.`,
    '### Of several formats\n',
    tableOf(groups.get('several')!, 'formats and codes', (name) =>
      formatsOf(name)
        .map((format) => [format, code(sentCode(format, name))].filter(Boolean).join(' '))
        .join(', '),
    ),
    ...formats.flatMap((format) => {
      const own = groups.get(format)
      if (own === undefined) return []
      const hasCodes = own.some((name) => sentCode(format, name) !== undefined)
      return [
        `### Of ${code(format)} only\n`,
        hasCodes ? tableOf(own, 'code', (name) => code(sentCode(format, name))) : tableOf(own),
      ]
    }),
  ]
}

function tableOf(list: readonly FailureName[], head?: string, codesOf?: (name: FailureName) => string): string {
  const rows = list.map((name) => {
    const { status, message, description, errorMessage = description }: Failure = failures[name]
    const isOfDevice = formatsOf(name).includes('device') && errorMessage !== description
    return [
      code(name),
      ...(codesOf ? [codesOf(name)] : []),
      String(status),
      message === usualMessages.get(status) ? '' : message,
      words(description) + (isOfDevice ? ` (device: ${words(errorMessage)})` : ''),
    ]
  })
  return table(['name', ...(head ? [head] : []), 'HTTP', 'message', 'description'], rows)
}

const words = (text: string) => text.replace(/\{(\w+)\}/g, '*$1*')

/** The message that most errors of a status have, where at least three have it. */
const usualMessages = new Map(
  [...Map.groupBy(names, (name) => failures[name].status)].flatMap(([status, same]) => {
    const counts = [...Map.groupBy(same, (name) => failures[name].message)]
    const [message, most] = counts.toSorted(([, a], [, b]) => b.length - a.length)[0]!
    return most.length < 3 ? [] : [[status as number, message as string] as const]
  }),
)

function formatsOf(name: FailureName): ErrorFormat[] {
  if (failures[name].status === 200) return ['telecom']
  // A path has the error format of its neighbours, and /metrics has none.
  if (name === 'notFound') return formats
  if (name === 'metricsTokenMissing') return ['telecom']
  const found = new Set(
    everyEndpoint.filter((each) => failuresOf(each).has(name)).map(({ errorFormat }) => errorFormat),
  )
  return formats.filter((format) => found.has(format))
}

/** What all endpoints return, then what most of a format and caller do, then how each differs. */
function endpointErrors(): string[] {
  const groups = Map.groupBy<string, Listed>(
    everyEndpoint,
    ({ errorFormat, caller }) => `${code(errorFormat)}, ${callers[caller]}`,
  )
  const common = everyEndpoint.map(failuresOf).reduce((left, right) => left.intersection(right))
  return [
    `## Errors of each endpoint\n\nEvery endpoint can return ${list(common)}, and a 500 after an unexpected failure.
An endpoint that a table leaves out returns what stands above the table. A status is written where it differs from [all errors](#all-errors).`,
    ...[...groups].flatMap(([title, each]) => sectionOf(title, each, common)),
  ]
}

function sectionOf(title: string, each: readonly Listed[], common: ReadonlySet<FailureName>): string[] {
  const usual = new Set(
    names
      .filter((name) => !common.has(name))
      .filter((name) => each.filter((one) => failuresOf(one).has(name)).length * 2 > each.length),
  )
  const show = (found: ReadonlySet<FailureName>) => list(found, each[0]!.errorFormat)
  const rows = each.map((one) => {
    const own = failuresOf(one).difference(common)
    return [code(one.path), show(own.difference(usual)), show(usual.difference(own))]
  })
  const differing = [...Map.groupBy(rows, (row) => row.slice(1).join('|')).values()]
    .map((same) => [same.map(([path]) => path).join(', '), ...same[0]!.slice(1)])
    .filter(([, also, without]) => also !== '' || without !== '')
  const hasWithout = differing.some(([, , without]) => without !== '')
  return [
    `### ${title}\n\n${show(usual)}\n`,
    ...(differing.length === 0
      ? []
      : [
          table(
            hasWithout ? ['endpoint', 'also', 'never'] : ['endpoint', 'also'],
            differing.map((row) => (hasWithout ? row : row.slice(0, 2))),
          ),
        ]),
  ]
}

/** Names, each with its status if a format sends another one than the table of all errors says. */
const list = (found: ReadonlySet<FailureName>, format?: ErrorFormat): string =>
  [...found]
    .map((name) => {
      const status = format && errorFormats[format](new Refusal(name), '').status
      return status === undefined || status === failures[name].status ? code(name) : `${code(name)} (${status})`
    })
    .join(', ')

const callers: Readonly<Record<Listed['caller'], string>> = {
  client: 'called by a client',
  app: 'called by an app',
  session: 'called in a session of an SDK',
  token: 'called with an access token',
  anyone: 'called by anyone',
  admin: 'called by people and clients with a role',
}

/** The failures that the contract lists for an endpoint, and those of its fields. */
function readFailures({ method, path, refusals }: Listed): Set<FailureName> {
  const documented = Object.entries(refusals)
    .filter(([status]) => status !== '500')
    .flatMap(([, { samples }]) => samples.map((sample) => failureOfSample(sample) as FailureName))
  const ofFields = surface
    .filter((row) => row.kind === 'endpoint')
    .filter((row) => row.path === path && row.method === method)
    .flatMap(({ fieldFailures }) => [...fieldFailures])
  // Every body is parsed.
  return new Set([...documented, ...(method === 'POST' ? (['invalidJson'] as const) : []), ...ofFields])
}

/** The code that a client reads; undefined when the error format has none. */
function sentCode(format: ErrorFormat, name: FailureName): string | undefined {
  const body = errorFormats[format](new Refusal(name), '').body
  if ('errorCode' in body) return body.errorCode
  if ('code' in body) return body.code
  if ('type' in body) return undefined
  if (!('error' in body)) return undefined
  return typeof body.error === 'string' ? body.error : body.error.errorCode
}
