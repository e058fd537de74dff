// Runs the sandbox operator alone: `npm start --workspace sandbox -- --help`.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { JSONWebKeySet } from 'jose'
import { pino } from 'pino'
import { InvalidInput, type SandboxClient, startSandbox } from './index.ts'

const help = `A small mobile operator that speaks CAMARA over HTTP. All its data are made up.

  --port N              default 9091; 0 for any free port
  --host ADDRESS        default 127.0.0.1; the admin surface answers to this machine only, wherever the sandbox listens
  --issuer URL          the address under which clients know the sandbox, where it is another one
  --client-id ID        default ringfence
  --client-secret TEXT  default made-up-secret
  --jwks FILE           the client's public keys as a JSON Web Key Set, for private_key_jwt
  --quiet               no log
`

const options = {
  port: { type: 'string', default: '9091' },
  host: { type: 'string', default: '127.0.0.1' },
  issuer: { type: 'string' },
  'client-id': { type: 'string', default: 'ringfence' },
  'client-secret': { type: 'string', default: 'made-up-secret' },
  jwks: { type: 'string' },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

try {
  const { values } = parseArgs({ options })
  if (values.help) process.stdout.write(help)
  else await run(values)
} catch (error) {
  process.stderr.write(`ringfence-sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

type Settings = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

async function run(values: Settings): Promise<void> {
  const sandbox = await startSandbox({
    port: portNumber(values.port),
    host: values.host,
    ...(values.issuer !== undefined && { issuer: values.issuer.replace(/\/+$/, '') }),
    clock: { now: () => Date.now() },
    clients: [client(values)],
    ...(!values.quiet && { logger: pino({ name: 'sandbox' }, process.stderr) }),
  }).catch((error: Error & { code?: string }) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(`port ${values.port} is taken: stop what listens there, or choose another with --port`)
  })
  process.stdout.write(`Sandbox operator at ${sandbox.url} (made-up data; client id ${values['client-id']})\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close())
}

function client(values: Settings): SandboxClient {
  const registration = { clientId: values['client-id'], clientSecret: values['client-secret'] }
  return values.jwks === undefined ? registration : { ...registration, jwks: keySet(values.jwks) }
}

function keySet(file: string): JSONWebKeySet {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JSONWebKeySet
  } catch (cause) {
    throw new InvalidInput(`--jwks ${file} cannot be read as JSON: ${(cause as Error).message}`, { cause })
  }
}

function portNumber(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidInput('--port must be a number from 0 to 65535')
  return port
}
