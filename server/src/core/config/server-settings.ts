// Where does the service listen, and in how many processes? Part of settings.ts.

import Type from 'typebox'

type Described = { readonly env: string; readonly description: string; readonly form?: string }

const number = (options: Described & { minimum: number; maximum: number; default: number }) => Type.Integer(options)

const optionalText = (options: Described & { pattern?: string; minLength?: number }) =>
  Type.Optional(Type.String({ minLength: 1, ...options }))

export const serverSettings = {
  host: Type.String({
    env: 'HOST',
    description: 'IP address to listen on; `0.0.0.0` listens on all.',
    minLength: 1,
    default: '127.0.0.1',
  }),
  port: number({
    env: 'PORT',
    description: 'Port to listen on; 0 picks a free port.',
    minimum: 0,
    maximum: 65_535,
    default: 8080,
  }),
  baseUrl: optionalText({
    env: 'BASE_URL',
    description: 'Public URL of the service, as its clients reach it. The OpenAPI document contains it.',
    pattern: '^https?://[^/]+$',
    form: 'a URL without a path, such as `https://fraud.example`',
  }),
  publicHosts: optionalText({
    env: 'PUBLIC_HOSTS',
    description:
      'Further hosts under which pages reach the service over HTTPS, such as subdomains of your sites. What an agent signs (Web Bot Auth) counts only for these and for the host of `baseUrl`.',
    form: 'one text with hosts, separated by commas, such as `id.shop.example, id.bank.example:8443`',
  }),
  authUrl: optionalText({
    env: 'AUTH_URL',
    description:
      'Public URL of sign-in and tokens, and the issuer of ID tokens. Default: `baseUrl`, or else the URL on which the service listens.',
    pattern: '^https?://[^/]+$',
    form: 'a URL without a path, such as `https://login.example`',
  }),
  drainMs: number({
    env: 'DRAIN_MS',
    description:
      'After SIGTERM the service answers requests for this many milliseconds, while `/ready` returns 503. A load balancer has this time to stop sending.',
    minimum: 0,
    maximum: 600_000,
    default: 0,
  }),
  workers: Type.String({
    env: 'WORKERS',
    description:
      'Processes that share the port, on PostgreSQL: a number up to 64, or `auto` for one of each core. Each counts as one server: it has its own connections to PostgreSQL, limits of calls to upstreams and memory for requests. Limits of callers hold for all together.',
    pattern: '^(auto|[1-9]|[1-5][0-9]|6[0-4])$',
    form: '`auto`, or a whole number from 1 to 64',
    default: '1',
  }),
}
