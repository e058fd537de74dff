// Which server and which requests do the telecom benchmarks use? A Ringfence with an operator, and SIM swap checks of many numbers.

import fs from 'node:fs'
import path from 'node:path'
import { operatorCheckNames, type TelecomChecksRequest } from '@ringfence/contract'
import { importPortedNumbers, operatorIds, spread } from '../number-data.ts'
import type { BareHttpOptions } from '../servers/bare-http.ts'
import type { OperatorOptions } from '../servers/operator.ts'
import type { RingfenceOptions } from '../servers/ringfence.ts'
import { type LoadProcess, measure, type Requests, type Server, startServer } from './servers.ts'

export const simSwapPath = '/v1/telecom/sim-swap-check'
export const checksPath = '/v1/telecom/checks'
/** The load of one round at full capacity. */
export const busy = { connections: 32, requests: 12_000, limitMs: 10_000 }

/** Starts an operator, which answers at once without options. */
export const startOperator = (options: OperatorOptions = {}): Promise<Server> => startServer('operator', options)

/**
 * Starts a Ringfence whose operators are all `operator`, and which reads the operator of each number from an imported file with
 * `numbers` ported numbers. `access`: that of an earlier start on the same data folder. Its log is in its data folder.
 */
export async function startRingfence(
  operator: Server,
  numbers: number,
  settings: RingfenceOptions['settings'] & { dataFolder: string },
  access?: RingfenceOptions['access'],
): Promise<Server> {
  const { dataFolder } = settings
  if (!fs.existsSync(path.join(dataFolder, 'numbers'))) await importPortedNumbers(dataFolder, numbers)
  return startServer('ringfence', { ...ringfenceOptions(operator, settings), access }, path.join(dataFolder, 'log'))
}

/** The rate limit counts but never refuses, and the overload guard does not react to other work on the machine. */
const unrefused = { clientRatePerSecond: 1_000_000, overloadDelayMs: 60_000 }

export function ringfenceOptions(operator: Server, settings: RingfenceOptions['settings']): RingfenceOptions {
  return {
    settings: { ...unrefused, ...settings },
    parts: {
      connectors: {
        operator: {
          type: 'camara',
          baseUrl: operator.url,
          token: {
            endpoint: `${operator.url}/oauth2/token`,
            clientId: 'bench',
            authentication: 'client_secret_basic',
            clientSecret: { env: 'OPERATOR_SECRET' },
          },
          ...Object.fromEntries(operatorCheckNames.map((name) => [name, {}])),
        } as { type: string },
      },
      portabilitySources: {},
      channels: {},
      operators: operatorIds.map((id) => ({ id, name: `OPERATOR_${id.slice(4)}`, connector: 'operator' })),
    },
  }
}

/** SIM swap checks of the first `asked` numbers of the imported file, in turn. */
export function checksOf(
  server: Server,
  numbers: number,
  asked = numbers,
): Pick<Requests, 'path' | 'headers' | 'bodies'> {
  const numberOf = spread(numbers)
  const bodies = Array.from({ length: asked }, (_, i) => JSON.stringify({ phoneNumber: String(numberOf(i)) }))
  return { path: simSwapPath, headers: server.access, bodies }
}

/** The same numbers, each with these checks in one call. */
export function callsOf(server: Server, numbers: number, checks: TelecomChecksRequest['checks']) {
  const numberOf = spread(numbers)
  const bodies = Array.from({ length: numbers }, (_, i) => JSON.stringify({ phoneNumber: String(numberOf(i)), checks }))
  return { path: checksPath, headers: server.access, bodies } satisfies Partial<Requests>
}

/** One check per number, so that answers are stored for reuse and the code is warm. */
export async function askAll(load: LoadProcess, server: Server, numbers: number, asked = numbers): Promise<void> {
  await measure(load, server, { ...checksOf(server, numbers, asked), ...busy, requests: asked, limitMs: 60_000 })
}

/** What a server must answer to send the same bytes as Ringfence sends to the first request. */
export async function sameAnswer(
  server: Server,
  { path: at, headers, bodies }: Pick<Requests, 'path' | 'headers' | 'bodies'>,
) {
  const answer = await fetch(server.url + at, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: bodies[0]!,
  })
  const body = await answer.text()
  if (!answer.ok || JSON.parse(body).success === false) throw new Error(`it was refused: ${body}`)
  const { date: _, connection: __, 'keep-alive': ___, ...sent } = Object.fromEntries(answer.headers)
  return { headers: sent, body } satisfies BareHttpOptions
}
