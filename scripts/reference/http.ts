// What does the reference page HTTP say? It is made from the contract.

import {
  type AdminEndpoint,
  adminEndpoints,
  answerHeaders,
  camaraEndpoints,
  camaraNumberVerificationEndpoints,
  camaraTokenEndpoint,
  type Endpoint,
  endpoints,
  numberVerificationApi,
  permissionNames,
  permissions,
  requestHeaders,
  roles,
  scopes,
} from '@ringfence/contract'
import { flowSection } from './flow.ts'
import { code, page, table } from './markdown.ts'

const callerOf = (endpoint: Endpoint): string =>
  'permission' in endpoint ? `${endpoint.caller}, or ${code(endpoint.permission!)}` : endpoint.caller

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
    ...flowSection(),
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
  'The same checks for any CAMARA client; [the guide](../guides/camara-api.md) has a session. Access tokens come from the first endpoint, and need the scope of the call, or that of its whole API. [Versions](camara-api.md#versions).\n',
  table(
    ['endpoint', 'scope'],
    [
      [code(`POST ${camaraTokenEndpoint.path}`), ''],
      ...Object.values(camaraEndpoints).map(({ path, call }) => [code(`POST ${path}`), code(call.scope)]),
      ...(['verify', 'share'] as const).map((name) => {
        const { method, path } = camaraNumberVerificationEndpoints[name]
        return [code(`${method} ${path}`), code(numberVerificationApi[name].scope)]
      }),
    ],
  ),
]

const adminSection = (): string[] => [
  '## Admin API\n',
  `For the console and the command line. Send the credentials of a client that has a role: \`ringfence clients create --scope admin --role viewer\`.

- **\`Idempotency-Key\`:** send one with a change, and repeat it when you got no answer. For 24 hours, the same request with the same key gets the
  answer of the first, and changes nothing. With another body it is \`409 idempotency-key-reused\`.
- **\`If-Match\`**: others may change this record too. Send the \`ETag\` of what you read. If somebody was faster, the answer is
  \`412 version-changed\` with the present \`version\`, and nothing was changed. \`*\` overwrites any version.\n`,
  'Paths are below `/admin/v1/`; an asterisk marks calls that need `If-Match`. `/docs` says what each returns.\n',
  table(
    ['permission', 'allows to', 'roles beside owner and admin', 'calls'],
    [
      ...permissionNames.map((name) => [
        code(name),
        permissions[name],
        Object.entries<{ permissions: readonly string[] }>(roles)
          .filter(([, { permissions: allowed }]) => allowed.includes(name))
          .map(([role]) => role)
          .filter((role) => !holdAll.has(role))
          .join(', '),
        callsWith(name),
      ]),
      ['any role', 'see and change what is your own', 'all', callsWith('signedIn')],
      ['none', 'sign in', '', callsWith('anyone')],
    ],
  ),
]

const callsWith = (needed: string): string =>
  Object.values<AdminEndpoint>(adminEndpoints)
    .filter(({ caller, permission }) => caller === 'admin' && permission === needed)
    .map(({ method, path, ifMatch }) => code(`${method} ${path.replace('/admin/v1/', '')}`) + (ifMatch ? ' \\*' : ''))
    .join(', ')

/** The roles with every permission. */
const holdAll = new Set(
  Object.entries<{ permissions: readonly string[] }>(roles)
    .filter(([, { permissions: allowed }]) => permissionNames.every((name) => allowed.includes(name)))
    .map(([role]) => role),
)

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
