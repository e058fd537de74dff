// What do the reference pages HTTP and Errors say? Both are made from the contract and the table of failures.

import {
  type AdminEndpoint,
  adminEndpoints,
  answerHeaders,
  camaraEndpoints,
  camaraNumberVerificationEndpoints,
  camaraTokenEndpoint,
  type Endpoint,
  type ErrorFormat,
  endpoints,
  everyEndpoint,
  type Failure,
  type FailureName,
  failureOfSample,
  failures,
  numberVerificationApi,
  permissionNames,
  permissions,
  requestHeaders,
  roles,
  scopes,
} from '@ringfence/contract'
import { Refusal } from '@ringfence/server/core/errors.ts'
import { surface } from '@ringfence/server/features.ts'
import { errorFormats } from '@ringfence/server/http/error-formats.ts'
import { code, page, table } from './markdown.ts'

type Listed = Endpoint | AdminEndpoint

export function errorsPage(): string {
  const formats = Object.keys(errorFormats) as ErrorFormat[]
  const example = (format: ErrorFormat, refusal?: Refusal) =>
    code(JSON.stringify(errorFormats[format](refusal, '…').body))
  const formatsOf = (name: FailureName): ErrorFormat[] => {
    if (failures[name].status === 200) return ['telecom']
    // A path has the error format of its neighbours, and /metrics has none.
    if (name === 'notFound') return formats
    if (name === 'metricsTokenMissing') return ['telecom']
    const found = new Set(
      everyEndpoint.filter((each) => failuresOf(each).has(name)).map(({ errorFormat }) => errorFormat),
    )
    return formats.filter((format) => found.has(format))
  }
  const words = (text: string) => text.replace(/\{(\w+)\}/g, '*$1*')
  const rows = Object.entries<Failure>(failures).map(([name, failure]) => {
    const { status, message, description, errorMessage = description } = failure
    return [
      code(name),
      status === 200 ? '200, `success` false' : String(status),
      message,
      words(description) + (errorMessage === description ? '' : ` (device: ${words(errorMessage)})`),
      formatsOf(name as FailureName)
        .map((format) => [format, code(sentCode(format, name as FailureName))].filter(Boolean).join(' '))
        .join(', '),
    ]
  })
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
    `## All errors\n\n*Words in italics* are replaced; *mistake* is for example "platform must be one of WEB, IOS, ANDROID". The last column has the error formats in which the error occurs, each with the code
that it sends: \`errorCode\`, \`error\` for \`oauth\`, or \`code\` for \`camara\`. \`device\` and \`legacy\` send no code. Only \`problem\` sends the name, in \`type\`.\n`,
    table(['name', 'HTTP', 'message', 'description', 'formats and codes'], rows),
    ...endpointErrors(),
    `The telecom checks also return \`operatorUnknown\`, \`simSwapFailed\` and \`callForwardingFailed\`, with 200 and \`success\` false.`,
  )
}

/** What all endpoints return, then what those of a format, caller and method do, then what only one does. */
function endpointErrors(): string[] {
  const groups = Map.groupBy<string, Listed>(
    everyEndpoint,
    ({ errorFormat, caller, method }) => `${code(errorFormat)}: ${method} ${callers[caller]}`,
  )
  const common = failuresOfAll(everyEndpoint)
  const byStatus = (each: Listed, names: Set<FailureName>) =>
    [...Map.groupBy(names, (name) => statusOf(each, name))]
      .toSorted(([a], [b]) => a - b)
      .map(([status, same]) => `${status}: ${same.map(code).join(', ')}`)
      .join('; ')
  return [
    `## Errors of each endpoint\n\nEvery endpoint can return ${[...common].map(code).join(', ')}, and a 500 after an unexpected failure.`,
    ...[...groups].flatMap(([title, each]) => {
      const ofAll = failuresOfAll(each)
      return [
        `### ${title}\n\nAll of these: ${byStatus(each[0]!, ofAll.difference(common))}\n`,
        table(
          ['endpoint', 'also'],
          each.map((one) => [code(one.path), byStatus(one, failuresOf(one).difference(ofAll))]),
        ),
      ]
    }),
  ]
}

const callers: Readonly<Record<Listed['caller'], string>> = {
  client: 'by a client',
  app: 'by an app',
  session: 'in a session of an SDK',
  token: 'with an access token',
  anyone: 'by anyone',
  admin: 'by people and clients with a role',
}

const failuresOfAll = (list: readonly Listed[]): Set<FailureName> =>
  list.map(failuresOf).reduce((left, right) => left.intersection(right))

/** The failures that the contract lists for an endpoint, and those of its fields. */
function failuresOf({ method, path, refusals }: Listed): Set<FailureName> {
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

const statusOf = ({ errorFormat }: Listed, name: FailureName) => errorFormats[errorFormat](new Refusal(name), '').status

/** The code that a client reads; undefined when the error format has none. */
function sentCode(format: ErrorFormat, name: FailureName): string | undefined {
  const body = errorFormats[format](new Refusal(name), '').body
  if ('errorCode' in body) return body.errorCode
  if ('code' in body) return body.code
  if ('type' in body) return undefined
  if (!('error' in body)) return undefined
  return typeof body.error === 'string' ? body.error : body.error.errorCode
}

const callerOf = (endpoint: Endpoint): string =>
  'permission' in endpoint ? `${endpoint.caller}, or ${code(endpoint.permission!)}` : endpoint.caller

const neededBy = { signedIn: 'any role', anyone: 'none' } as const

export function httpPage(): string {
  return page(
    'HTTP',
    `The request and response bodies are in the OpenAPI document. The service serves it at \`/openapi.json\`, and as browsable pages at
\`/docs\`.

- **Order of checks:** path and method (404, 405), credentials (401), rate (429), media type (415), size (413), JSON, fields, then the
  work. [Errors](errors.md) has every error.
- **Types:** values are never converted. \`"72"\` is not 72.
- **Phone numbers:** digits only, with country code and without a plus sign: \`917020141726\`.
- **Forms:** \`/auth/v1/secure-info\` also accepts a form (\`application/x-www-form-urlencoded\`), with the credentials in the headers or in its
  fields \`client_id\` and \`client_secret\`. Credentials in fields are checked after the body was read.`,
    ...clientSection(),
    ...camaraSection(),
    ...adminSection(),
    '## Pages\n',
    table(['page', 'content'], pages),
    ...headerSection(),
  )
}

const clientSection = (): string[] => [
  '## Endpoints\n',
  table(
    ['endpoint', 'caller', 'result'],
    Object.values<Endpoint>(endpoints).map((each) => [
      code(`${each.method} ${each.path}`),
      callerOf(each),
      each.summary,
    ]),
  ),
  'Where a permission is named, a person with a role calls too, and so does a client with a role that lacks the scope: see *Admin API*. Personal data is masked for them as there, and their changes are in the audit log.\n',
  'A client that is [restricted](../guides/command-line.md#restrict-a-client) needs the scope of the call:\n',
  table(
    ['scope', 'allows to'],
    Object.entries(scopes).map(([name, allows]) => [code(name), allows]),
  ),
]

const camaraSection = (): string[] => [
  '## CAMARA API\n',
  'The same checks for any CAMARA client; [the guide](../guides/camara-api.md) has a session. An access token needs the scope of the call, or that of its whole API.\n',
  table(
    ['endpoint', 'scope', 'result'],
    [
      [code(`POST ${camaraTokenEndpoint.path}`), '', camaraTokenEndpoint.summary],
      ...Object.values(camaraEndpoints).map(({ path, call, summary }) => [
        code(`POST ${path}`),
        code(call.scope),
        summary,
      ]),
      ...(['verify', 'share'] as const).map((name) => {
        const { method, path, summary } = camaraNumberVerificationEndpoints[name]
        return [code(`${method} ${path}`), code(numberVerificationApi[name].scope), summary]
      }),
    ],
  ),
]

const adminSection = (): string[] => [
  '## Admin API\n',
  `For the console and the command line. Send the credentials of a client that has a role: \`ringfence clients create --scope admin --role viewer\`.

- **\`Idempotency-Key\`:** send one with a change, and repeat it when you got no answer. For 24 hours, the same request with the same key gets the
  answer of the first, and changes nothing. With another body it is \`409 idempotency-key-reused\`.
- **\`If-Match\`** in the table: others may change this record too. Send the \`ETag\` of what you read. If somebody was faster, the answer is
  \`412 version-changed\` with the present \`version\`, and nothing was changed. \`*\` overwrites any version.\n`,
  table(
    ['endpoint', 'permission', 'result'],
    Object.values<AdminEndpoint>(adminEndpoints)
      .filter(({ caller }) => caller === 'admin')
      .map(({ method, path, permission, summary, ifMatch }) => [
        code(`${method} ${path}`),
        (permission in permissions ? code(permission) : neededBy[permission as 'signedIn' | 'anyone']) +
          (ifMatch ? ', `If-Match`' : ''),
        summary,
      ]),
  ),
  table(
    ['permission', 'allows to', 'roles'],
    permissionNames.map((name) => [
      code(name),
      permissions[name],
      Object.entries<{ permissions: readonly string[] }>(roles)
        .filter(([, { permissions: allowed }]) => allowed.includes(name))
        .map(([role]) => role)
        .join(', '),
    ]),
  ),
]

const pages = [
  ['`GET /`', 'version, and links to the pages below'],
  ['`GET /health`', '200 while the process runs'],
  [
    '`GET /ready`',
    '200 while the service accepts requests; 503 while it stops, when its store is not available, or when the schema of the store is too new for it',
  ],
  [
    '`GET /metrics`',
    'Prometheus text format, for requests with `METRICS_TOKEN` as bearer token; without that setting, for requests from this machine',
  ],
  ['`GET /openapi.json`, `GET /docs`', 'the OpenAPI 3.1 document, and a browsable reference that needs no internet'],
  [
    '`GET /sdk/browser.js`, `GET /sdk/browser.json`',
    'the browser SDK, and its description: the hash, and the name of the same file under a URL whose content never changes',
  ],
  [
    '`GET /sdk/headless.js`',
    '`window.OTPless` for pages written for the headless SDK of the specification, with the browser SDK in it',
  ],
  [
    '`GET /.well-known/openid-configuration`, `GET /.well-known/jwks.json`',
    'OpenID Connect discovery, and the public keys of ID tokens',
  ],
  [
    '`GET /camara/.well-known/openid-configuration`, `GET /.well-known/oauth-authorization-server/camara`',
    'metadata of the CAMARA API',
  ],
  ['`GET /auth/v1/magic-link`', 'target of magic links: asks for one click'],
  ['`GET /auth/v1/oauth/callback/{connection}`', 'where the identity provider of a channel redirects to'],
  ['`GET /auth/v1/number-verification/callback/{connection}`', 'where the operator of a connector redirects phones to'],
]

const headerSection = (): string[] => [
  '## Request headers\n',
  'A call of a client has these headers. A call of an app has `appId`. A call in a session has `appId`, and `authorization: Bearer` with the session token: [SDK calls](../guides/sdk-calls.md).\n',
  table(
    ['header', 'required', 'meaning'],
    Object.entries(requestHeaders).map(([name, { required, description }]) => [
      `\`${name}\``,
      required ? 'yes' : '',
      description,
    ]),
  ),
  '## Response headers\n',
  table(
    ['header', 'meaning'],
    Object.entries(answerHeaders).map(([name, description]) => [`\`${name}\``, description]),
  ),
]
