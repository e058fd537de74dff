// How does a browser visit in a test, over HTTP? It has a key and a cookie, and loses both when its storage is cleared.

import assert from 'node:assert/strict'
import type { WebFacts } from '@ringfence/contract'
import { endpoints } from '@ringfence/contract'
import type { App } from '../../../apps/app.ts'
import { deviceCookieName } from '../../../http/cookies/sdk-cookies.ts'
import { type InstallationKey, newInstallationKey } from '../../../testing/installation-key.ts'
import { sdkClientOf } from '../../../testing/sdk-client.ts'
import type { TestService } from '../../../testing/test-service.ts'
import type { Analysis } from '../../analysis/analyse.ts'
import { analysisOf } from '../../store/find-analysis.ts'
import { homeAddress } from '../../testdata/devices.ts'

export interface Visited extends Analysis {
  readonly deviceId: string
  readonly installationId: string
  readonly identification: NonNullable<Analysis['identification']>
  /** Of the answer. */
  readonly deviceToken: string
}

/** The device that a visit is of, or is likely of. */
export const resembled = ({ deviceId, identification }: Pick<Visited, 'deviceId' | 'identification'>): string =>
  identification.likely?.deviceId ?? deviceId

export interface BrowserOptions {
  address?: string
  /** Without one, the browser cannot make keys. */
  key?: InstallationKey | undefined
  token?: string | undefined
  /** The device token of the cookie; `token` is a fact. */
  cookie?: string
  /** Server of the visit. */
  service?: TestService
  changes?: object
}

export interface TestBrowser {
  key: InstallationKey | undefined
  token: string | undefined
  /** With its key and token. `options` replace them for this visit. */
  visit(facts: WebFacts, options?: BrowserOptions): Promise<Visited>
  /** The user clears its storage: the next visit has another key and no token. */
  clear(): void
  /** A visit in a private window: with a new key, and without a token. */
  visitPrivately(facts: WebFacts, options?: BrowserOptions): Promise<Visited>
}

/** A browser that makes keys, unless `hasKeys` is false. */
export function testBrowser(
  service: TestService,
  app: App,
  { hasKeys = true, address = homeAddress }: { hasKeys?: boolean; address?: string } = {},
): TestBrowser {
  const newKey = () => (hasKeys ? newInstallationKey() : undefined)
  const send = async (facts: WebFacts, { key, token, ...options }: BrowserOptions): Promise<Visited> => {
    const at = options.service ?? service
    const cookie = options.cookie && `${deviceCookieName(app.tenantId)}=${options.cookie}`
    const headers = { 'x-forwarded-for': options.address ?? address, ...(cookie && { cookie }) }
    const client = await sdkClientOf(app, at, { headers, ...(key && { key }) })
    const body = client.engineBody({ ...facts, ...(token !== undefined && { deviceToken: token }) }, options.changes)
    const answer = await client.post(endpoints.intelligence.path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const analysis = await analysisOf({ requestId: body.requestId }, app, at.parts)
    return { ...(analysis as Visited), deviceToken: answer.body.deviceToken }
  }
  const browser: TestBrowser = {
    key: newKey(),
    token: undefined,
    async visit(facts, options = {}) {
      const visited = await send(facts, { key: browser.key, token: browser.token, ...options })
      if (!('key' in options) && !('token' in options)) browser.token = visited.deviceToken
      return visited
    },
    clear() {
      browser.key = newKey()
      browser.token = undefined
    },
    visitPrivately: (facts, options = {}) => send(facts, { key: newKey(), ...options }),
  }
  return browser
}
