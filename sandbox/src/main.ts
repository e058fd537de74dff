// Runs only the sandbox operator: `npm start --workspace sandbox -- --help`.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { JSONWebKeySet } from 'jose'
import { pino } from 'pino'
import { InvalidInput, type SandboxClient, startSandbox } from './index.ts'

const help = `Run a sandbox operator: CAMARA over HTTP, with made-up data.

Usage: npm start --workspace sandbox -- [options]

Options:
  --port N              port to listen on; 0 for any free port (default 9091)
  --host ADDRESS        IP address to listen on (default 127.0.0.1); the admin API only answers this machine
  --issuer URL          URL that clients use for the sandbox, if it differs from the one it listens at
  --client-id ID        id of the client (default ringfence)
  --client-secret TEXT  secret of the client (default made-up-secret)
  --jwks FILE           public keys of the client as a JSON Web Key Set, for private_key_jwt
  --quiet               write no log
  -h, --help            show this help
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
    throw new Error(`port ${values.port} is taken: stop the process that uses it, or choose another port with --port`)
  })
  // First: whoever reads the line may stop the operator at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close())
  process.stdout.write(`Sandbox operator at ${sandbox.url} (made-up data; client id ${values['client-id']})\n`)
}

function client(values: Settings): SandboxClient {
  const registration = { clientId: values['client-id'], clientSecret: values['client-secret'] }
  return values.jwks === undefined ? registration : { ...registration, jwks: keySet(values.jwks) }
}

function keySet(file: string): JSONWebKeySet {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JSONWebKeySet
  } catch (cause) {
    throw new InvalidInput(`--jwks ${file} must be a JSON file: ${(cause as Error).message}`, { cause })
  }
}

function portNumber(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidInput('--port must be a whole number from 0 to 65535')
  return port
}
