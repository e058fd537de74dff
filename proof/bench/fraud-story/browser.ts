// What does a device of the fraud story send? The facts of a simulated, recorded or made-up one, signed with the key of its storage.

import { type DevicePlatform, endpoints } from '@ringfence/contract'
import type { App } from '../../../server/src/apps/app.ts'
import { headersOf } from '../../../server/src/device/testdata/ordinary-report.ts'
import { recorded } from '../../../server/src/device/testdata/recordings.ts'
import { type InstallationKey, newInstallationKey } from '../../../server/src/testing/installation-key.ts'
import { type SdkClient, sdkClient } from '../../../server/src/testing/sdk-client.ts'
import type { TestService } from '../../../server/src/testing/test-service.ts'
import type { SimulatedDevice } from '../recognition/device.ts'

/** The SDK waits so long for a fact. */
const factLimitMs = 1000

interface Shown {
  readonly facts: object
  /** Names of facts that came too late. Default: none. */
  readonly late?: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

export interface StoryBrowser {
  shown(day: number): Shown
  clearStorage(): void
  /** Engine call and push, over HTTP. */
  visit(world: { service: TestService; app: App }, at: { day: number; address: string }): Promise<Visited>
}

export interface Visited {
  readonly dfrId: string
  readonly requestId: string
  /** The SDK of the page. */
  readonly client: SdkClient
}

/** A browser with separate storage; two of one device are copies of each other. */
export const browserOf = (device: SimulatedDevice): StoryBrowser =>
  visitor({
    shown(day) {
      const { facts, late } = device.visit(day)
      const { userAgent, languages } = facts as { userAgent?: string; languages?: readonly string[] }
      return {
        ...{ facts, late },
        headers: { 'user-agent': userAgent ?? '', 'accept-language': (languages ?? ['en']).join(',') },
      }
    },
  })

/** The browser of a recorded scenario. */
export function recordedBrowser(name: string): StoryBrowser {
  const recording = recorded(name)
  return visitor({ shown: () => ({ facts: recording.facts, headers: headersOf(recording) }) })
}

interface VisitorOptions {
  readonly platform?: DevicePlatform
  shown(day: number): Shown
  /** Default: a new one. */
  readonly key?: InstallationKey
}

/** Whatever visits, with an SDK or the calls of one. */
export function visitor({ platform = 'WEB', shown, key: first = newInstallationKey() }: VisitorOptions): StoryBrowser {
  let key = first
  return {
    shown,
    clearStorage() {
      key = newInstallationKey()
    },
    async visit({ service, app }, { day, address }) {
      const { facts, headers, late = [] } = shown(day)
      const from = { ...headers, 'x-forwarded-for': address }
      const client = await sdkClient(service, { app, platform, key, headers: from })
      if (late.length > 0) service.clock.advance({ ms: factLimitMs })
      const factsMissing = Object.fromEntries(late.map((name) => [name, 'timedOut']))
      const { requestId } = await client.analyse(facts, { factsMissing })
      const { status, body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
      if (status !== 200) throw new Error(`the push is answered ${status}: ${JSON.stringify(body)}`)
      return { dfrId: body.dfrId, requestId, client }
    },
  }
}
