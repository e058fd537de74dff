// Which operator do the programs ask? The sandbox, in this process, and the parts of a configuration that point at it.

import { type Sandbox, type SandboxOptions, startSandbox } from '@ringfence/sandbox'
import { systemClock } from '../../server/src/clock.ts'
import { sandboxParts } from '../../server/src/testing/test-service.ts'
import type { RunOptions } from '../promise.ts'
import type { ServeOptions } from './serve.ts'

/** The secret by which the service signs in at the sandbox. */
export const operatorSecret = 'secret-of-the-operator'

export interface Operator extends Pick<ServeOptions, 'parts' | 'environment'> {
  readonly sandbox: Sandbox
}

/** A sandbox on the real clock, unless told otherwise, that is closed with the run. */
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
  return { sandbox, parts: sandboxParts(sandbox), environment: { SANDBOX_SECRET: operatorSecret } }
}

/** The n-th of 6,000 valid mobile numbers of India, none of which is a scenario of the sandbox: ordinary ones. */
export const ordinaryNumber = (n: number) => `9170201${42_000 + (n % 6000)}`

/** A fixed key for servers that share a database. */
export const masterKey = Buffer.alloc(32, 7).toString('base64')
