// Which services do the tests of a phone SDK call? The real one, and one with faults, which also does what happens outside of the app.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closedWay } from './closed-way.ts'
import { startFaultServer } from './fault-server.ts'
import { type PhoneApp, type PhoneService, startPhoneService } from './service.ts'

export interface PhoneServices {
  /** A folder that ends with the services. */
  readonly folder: string
  readonly service: PhoneService
  /** Reaches the service once a test has called `online`. */
  readonly closedUrl: string
  /** Environment variables of the tests. */
  readonly variables: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function startPhoneServices(app: PhoneApp): Promise<PhoneServices> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-phone-'))
  const ends: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const end of ends.toReversed()) await end()
  }
  try {
    const service = await startPhoneService(folder, app)
    ends.push(() => service.close())
    const way = await closedWay(service.url)
    ends.push(() => way.close())
    const faults = await startFaultServer({
      online() {
        way.open()
        return {}
      },
      otp: async ({ to = '' }) => ({ otp: await service.otpOf(to) }),
      link: async ({ to = '' }) => ({ location: await service.openLink(to) }),
      provider: async ({ url = '' }) => ({ location: await service.signInAtProvider(url) }),
      validate: ({ token = '' }) => service.validate(token),
      attest: async ({ publicKey = '', challenge = '' }) => ({ chain: await service.attest(publicKey, challenge) }),
      'forget-keys': () => service.forgetKeys(),
      report: ({ dfrId = '' }) => service.report(dfrId),
      'begin-verification': ({ number = '' }) => service.beginVerification(number),
      'complete-verification': ({ id = '', state = '', code = '' }) =>
        service.completeVerification({ verificationId: id, state, code }),
    })
    ends.push(() => faults.close())
    const variables = {
      RINGFENCE_URL: service.url,
      RINGFENCE_APP_ID: service.appId,
      RINGFENCE_PACKAGE_NAME: service.packageName,
      RINGFENCE_FAULTS: faults.url,
    }
    return { folder, service, closedUrl: way.url, variables, close }
  } catch (error) {
    await close()
    throw error
  }
}
