// Which operator do the programs use? The sandbox in this process, and the configuration that points at it.

import { type Sandbox, type SandboxOptions, startSandbox } from '@ringfence/sandbox'
import { systemClock } from '../../../server/src/core/clock.ts'
import { sandboxParts } from '../../../server/src/testing/test-service.ts'
import type { RunOptions } from '../promise.ts'
import type { ServeOptions } from './serve.ts'

/** The secret with which the service authenticates to the sandbox. */
export const operatorSecret = 'secret-of-the-operator'

export interface Operator extends Pick<ServeOptions, 'parts' | 'environment'> {
  readonly sandbox: Sandbox
}

/** A sandbox that closes with the run; it uses the real clock by default. */
export async function startOperator(
  { after }: Pick<RunOptions, 'after'>,
  options: Partial<SandboxOptions> = {},
): Promise<Operator> {
  const sandbox = await startSandbox({
    clock: systemClock,
    clients: [{ clientId: 'ringfence', clientSecret: operatorSecret }],
    ...options,
  })
  after(() => sandbox.close())
  return { sandbox, parts: patientWith(sandboxParts(sandbox)), environment: { SANDBOX_SECRET: operatorSecret } }
}

/** The operator is in a busy process: only a deadline ends a call of it. */
function patientWith(parts: ServeOptions['parts']): ServeOptions['parts'] {
  const limits = { timeoutMs: 30_000, connectTimeoutMs: 30_000 }
  const withLimits = <Upstream extends object>(upstreams: Readonly<Record<string, Upstream>>) =>
    Object.fromEntries(Object.entries(upstreams).map(([name, upstream]) => [name, { ...upstream, ...limits }]))
  return {
    ...parts,
    connectors: withLimits(parts.connectors),
    portabilitySources: withLimits(parts.portabilitySources),
  }
}

/** The n-th of 6,000 valid Indian mobile numbers that are no sandbox scenario. */
export const ordinaryNumber = (n: number) => `9170201${42_000 + (n % 6000)}`

/** A fixed key for servers that share a database. */
export const masterKey = Buffer.alloc(32, 7).toString('base64')
