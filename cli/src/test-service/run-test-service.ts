// What is a service for tests? Service and sandbox operator with one clock that tests move, and a store that ends with the process.

import { generateKeyPairSync } from 'node:crypto'
import { fstatSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { movableClock } from '@ringfence/sandbox'
import { type Service, startService } from '@ringfence/server'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { readConfig } from '@ringfence/server/core/config/config.ts'
import type { Settings } from '@ringfence/server/core/config/settings.ts'
import { logForReader } from '@ringfence/server/core/telemetry/log.ts'
import type { Parts } from '@ringfence/server/parts.ts'
import { listenFailure } from '../failure.ts'
import { startSandboxBeside } from '../serve/sandbox-configuration.ts'
import { stopSignal } from '../serve/stop-signal.ts'
import { version } from '../version.ts'
import { addresses, listsInUse, publishing } from './addresses.ts'
import { createTenant, tenantRoutes } from './tenants.ts'

export interface TestServiceOptions {
  port: number
  logLevel: Settings['logLevel']
  config?: string
}

/** Resolves when the test has ended or a signal came, and nothing is left. Throws when it cannot start. */
export async function runTestService(options: TestServiceOptions): Promise<void> {
  const stopRequested = Promise.race([stopSignal(), inputEnded()])
  const dataFolder = await mkdtemp(join(await realpath(tmpdir()), 'ringfence-testing-'))
  try {
    await runIn(dataFolder, options, stopRequested)
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
}

async function runIn(
  dataFolder: string,
  { port, logLevel, config: file }: TestServiceOptions,
  stopRequested: Promise<unknown>,
): Promise<void> {
  const host = '127.0.0.1'
  const configured = readConfig({ options: settingsIn(dataFolder, { host, port, logLevel }), ...(file && { file }) })
  const log = await logForReader(2, configured.settings.logFormat, { level: logLevel })
  const clock = publishing(movableClock(systemClock), dataFolder)
  let service: Service | undefined
  const { sandbox, config, environment } = await startSandboxBeside({
    config: configured,
    environment: process.env,
    port: 0,
    clock,
    logger: log.child({ name: 'sandbox' }),
    moreAdmin: (admin) => tenantRoutes(admin, () => service!.parts),
  })
  try {
    service = await startService({ config, log, environment, clock }).catch((error) => {
      throw listenFailure(error, host, port, '--port N')
    })
    service.parts.signIn.outbox.show()
    await listsInUse(service.parts)
    const tenant = await createTenant(service.parts)
    const places = { url: service.url, sandboxUrl: sandbox.url, dataFolder, addresses }
    const started = { version, ...places, attestationRoot: trustedRoot(service.parts), ...tenant }
    console.log(JSON.stringify(started))
    await stopRequested
  } finally {
    await service?.stop()
    await sandbox.close()
  }
}

/** Whoever has the key plays Android phones whose hardware attests them. It is new at each start. */
function trustedRoot({ device: { keyAttestation } }: Pick<Parts, 'device'>): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const root = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  keyAttestation.roots = { ...keyAttestation.roots, hardware: [root] }
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
}

const settingsIn = (dataFolder: string, chosen: Partial<Settings>): Partial<Settings> => ({
  ...chosen,
  dataFolder,
  masterKeyFile: join(dataFolder, 'master.key'),
  drainMs: 0,
  // A test receives webhooks on its own machine, and says from which IP address a made-up page calls.
  webhookTargets: 'any',
  trustedProxies: '127.0.0.1, ::1',
})

/** The program that started this one has ended, however it ended. Only a pipe says so: never with a terminal, nor with /dev/null. */
function inputEnded(): Promise<void> {
  const input = fstatSync(0)
  if (!input.isFIFO() && !input.isSocket()) return new Promise(() => undefined)
  return new Promise((resolve) => {
    const { stdin } = process
    stdin
      .once('end', resolve)
      .once('error', () => resolve())
      .resume()
    // After a signal, an open pipe must not keep the process running.
    stdin.unref()
  })
}
