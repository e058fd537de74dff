// How does a test get a Ringfence? It starts its own real service, with made-up operators, on free ports.

import { type Clock, clockOf } from './clock.ts'
import { findProgram } from './find-program.ts'
import { type Operator, operatorOf } from './operator.ts'
import { send } from './send.ts'
import { type Addresses, type ServiceProcess, startProcess } from './service-process.ts'
import { type Tenant, type TenantAccess, tenantOf } from './tenant.ts'

export interface StartOptions {
  /** Port to listen on. Default: any free port. */
  readonly port?: number
  /** Path of a configuration file of yours, for example with channels. Operators and settings of the test come on top. */
  readonly config?: string
  /** Writes the log of the service from this level on to stderr. Default: no log. */
  readonly log?: 'trace' | 'debug' | 'info' | 'warn' | 'error'
  /** The program of the service: `bin/ringfence` of a release. Default: found in node_modules, the clone, or on the path. */
  readonly program?: string
  /** Default: 30,000. */
  readonly startTimeoutMs?: number
}

export interface TenantOptions {
  /** Settings of its app, such as `{ revealReport: true }`: docs/reference/app-settings.md. */
  readonly app?: Readonly<Record<string, unknown>>
  /** Content of a file of rules, which decide at once. Default: the default rules. */
  readonly rules?: string
}

/** A running service, and its first tenant. */
export interface TestService extends Tenant {
  /** Version of the service. */
  readonly version: string
  readonly pid: number
  /** A fresh tenant: one for each test keeps tests apart. @throws CallRefused for settings or rules that are wrong */
  tenant(options?: TenantOptions): Promise<Tenant>
  /** IP addresses that hide who calls: `page({ address: ringfence.addresses.tor })`. */
  readonly addresses: Addresses
  readonly clock: Clock
  readonly operator: Operator
  /** Ends the service and removes its data. Twice does no harm. */
  stop(): Promise<void>
}

/** @throws ServiceNotFound, NotStarted, TypeError for a `config` that is no path */
export async function start(options: StartOptions = {}): Promise<TestService> {
  const { port = 0, config, log, program: named, startTimeoutMs = 30_000 } = options
  if (config !== undefined && typeof config !== 'string')
    throw new TypeError('config is the path of a configuration file: write the settings to one (YAML)')
  const { env: environment } = process
  const program = findProgram({ named, environment, from: process.cwd(), own: import.meta.dirname })
  const args = [
    ...['--port', String(port)],
    ...(config === undefined ? [] : ['--config', config]),
    ...(log === undefined ? [] : ['--log-level', log]),
  ]
  return serviceOf(await startProcess(program, { args, environment, startTimeoutMs, showsLog: log !== undefined }))
}

function serviceOf(running: ServiceProcess): TestService {
  const { url, sandboxUrl, attestationRoot, version, pid, addresses, stop } = running
  return {
    ...tenantOf(running),
    ...{ version, pid, addresses, stop },
    async tenant(options = {}) {
      return tenantOf({
        ...{ url, sandboxUrl, attestationRoot },
        ...(await send<Omit<TenantAccess, 'url' | 'sandboxUrl' | 'attestationRoot'>>(`${sandboxUrl}/sandbox/tenants`, {
          body: options,
        })),
      })
    },
    clock: clockOf(sandboxUrl),
    operator: operatorOf(sandboxUrl),
  }
}
