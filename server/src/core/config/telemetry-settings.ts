// Which settings do logs, metrics and traces have? Part of server/src/core/config/settings.ts.

import Type from 'typebox'

const optionalText = (options: {
  env: string
  description: string
  pattern?: string
  minLength?: number
  form?: string
}) => Type.Optional(Type.String({ minLength: 1, ...options }))

export const telemetrySettings = {
  logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    env: 'LOG_LEVEL',
    description: 'Lines of this level and above are logged.',
    default: 'info',
  }),
  logFormat: Type.Enum(['auto', 'json', 'pretty'], {
    env: 'LOG_FORMAT',
    description: 'How lines are logged. `auto`: readable lines at a terminal, else JSON lines.',
    default: 'auto',
  }),
  auditLog: optionalText({
    env: 'AUDIT_LOG',
    description:
      'File for audit lines: who signed in, who was refused, what was issued, revoked or labelled. Without it, their lines of the log have `"audit":true`.',
  }),
  metricsToken: optionalText({
    env: 'METRICS_TOKEN',
    description:
      'Bearer token that `/metrics` requires. Without it, only programs on this machine can read `/metrics`, and not through a proxy.',
    minLength: 16,
  }),
  otlpEndpoint: optionalText({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description:
      'URL of an OpenTelemetry collector, which gets traces and metrics by OTLP over HTTP (JSON). Without it, nothing is sent.',
    pattern: '^https?://[^?#]+$',
    form: 'a URL such as `http://collector:4318`',
  }),
  traceRatio: Type.Number({
    env: 'OTEL_TRACES_SAMPLER_ARG',
    description:
      'Share of requests that are traced. The `traceparent` of an authenticated client decides for its own requests.',
    minimum: 0,
    maximum: 1,
    default: 0.1,
  }),
}
