// How does a test get sessions from many places? A service whose IP data know some cities, networks and a VPN.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { endpoints } from '@ringfence/contract'
import type { App } from '../../apps/app.ts'
import type { Config } from '../../core/config/config.ts'
import type { Database } from '../../core/storage/database.ts'
import { addressEvidence } from '../../device/analysis/address-evidence.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { analysisOf } from '../../device/store/find-analysis.ts'
import { browserClient, ordinaryFacts } from '../../device/testdata/ordinary-report.ts'
import { updateLists } from '../../ip/lists/update-lists.ts'
import { mmdbBytes } from '../../ip/testing/mmdb-writer.ts'
import { readLists } from '../../ip/testing/read-lists.ts'
import { atEnd, type Ending } from '../../testing/at-end.ts'
import { type InstallationKey, newInstallationKey } from '../../testing/installation-key.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { type AccountInput, accountKnowledge, isProven } from '../account-knowledge.ts'
import type { ShownSession } from '../session.ts'

const cities = {
  mumbai: { country: 'IN', latitude: 19.08, longitude: 72.88 },
  pune: { country: 'IN', latitude: 18.52, longitude: 73.86 },
  delhi: { country: 'IN', latitude: 28.61, longitude: 77.21 },
  paris: { country: 'FR', latitude: 48.86, longitude: 2.35 },
  amsterdam: { country: 'NL', latitude: 52.37, longitude: 4.9 },
  newYork: { country: 'US', latitude: 40.71, longitude: -74.01 },
} as const

/** A network of each kind. Each has the IP addresses of one /16. */
const networks = {
  home: { city: 'mumbai', asn: 17488, name: 'Hathway' },
  neighbour: { city: 'mumbai', asn: 24560, name: 'Telemedia' },
  office: { city: 'pune', asn: 9583, name: 'Sify' },
  hotelInDelhi: { city: 'delhi', asn: 10029, name: 'Citycom' },
  mobileInMumbai: { city: 'mumbai', asn: 55836, name: 'Jio Mobile' },
  mobileInDelhi: { city: 'delhi', asn: 55836, name: 'Jio Mobile' },
  paris: { city: 'paris', asn: 3215, name: 'Orange' },
  vpn: { city: 'amsterdam', asn: 9009, name: 'M247' },
  /** On no list: it looks like any other network. */
  companyVpn: { city: 'newYork', asn: 64500, name: 'Example Corp' },
} as const
export type NetworkName = keyof typeof networks

/** An IP address of a network. */
export const addressIn = (network: NetworkName): string => `81.${100 + Object.keys(networks).indexOf(network)}.0.1`

/** Everything is closed with the test. `lists`: `none` were ever fetched, or all but that of VPNs. */
export async function startWorld(
  t: Ending,
  database: Database,
  { lists = 'all', channels = {} }: { lists?: 'all' | 'noVpn' | 'none'; channels?: Config['channels'] } = {},
): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-test-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  const path = (name: string) => join(folder, name)
  const prefixes = Object.entries(networks).map(([name, network]) => {
    const prefix = `${addressIn(name as NetworkName).replace(/\.0\.1$/, '.0.0')}/16`
    return { prefix, ...network, ...cities[network.city] }
  })
  const builtAt = new Date('2026-03-01')
  const ofCity = prefixes.map(({ prefix, city, country, latitude, longitude }) => [
    prefix,
    {
      city: { names: { en: city } },
      country: { iso_code: country },
      location: { latitude, longitude, accuracy_radius: 20 },
    },
  ])
  const ofAsn = prefixes.map(({ prefix, asn, name }) => [
    prefix,
    { autonomous_system_number: asn, autonomous_system_organization: name },
  ])
  await writeFile(path('city.mmdb'), mmdbBytes({ databaseType: 'City', builtAt, networks: Object.fromEntries(ofCity) }))
  await writeFile(path('asn.mmdb'), mmdbBytes({ databaseType: 'ASN', builtAt, networks: Object.fromEntries(ofAsn) }))
  await writeFile(path('vpn.txt'), `${addressIn('vpn')}\n`)
  await writeFile(path('tor.txt'), '192.0.2.1\n')
  await writeFile(path('relays.txt'), '192.0.2.2\n')
  const service = await startTestService(t, database, {
    edit: (parts) => ({ ...parts, channels }),
    settings: {
      dataFolder: folder,
      trustedProxies: '127.0.0.1',
      ipCityFiles: path('city.mmdb'),
      ipAsnFiles: path('asn.mmdb'),
      appRateBurst: 1000,
    },
  })
  const urlOf = (name: string) => pathToFileURL(path(name)).href
  const published = {
    tor: { kind: 'tor', url: urlOf('tor.txt') },
    relays: { kind: 'relay', url: urlOf('relays.txt') },
    vpns: { kind: 'vpnServer', url: urlOf(lists === 'noVpn' ? 'missing.txt' : 'vpn.txt') },
  } as const
  if (lists !== 'none') {
    await updateLists({ dataFolder: folder, lists: published, now: service.clock.now() })
    await readLists(service)
  }
  return service
}

export interface SessionOptions {
  readonly userId?: string
  readonly analysis?: Analysis | undefined
  readonly phoneNumber?: string
  readonly operator?: string
  /** The action of its rules. */
  readonly action?: Parameters<typeof isProven>[0]['action']
  /** False: nothing proves it. */
  readonly hasLogin?: boolean
}

/** What a decision does: reads the account, and learns in its commit when the session is proven. */
export async function decide(
  { parts: needs, tenantId, clock }: TestService,
  network: NetworkName | undefined,
  { userId = 'asha', analysis, phoneNumber, operator, action = 'ALLOW', hasLogin = true }: SessionOptions = {},
): Promise<{ input: AccountInput; shown: ShownSession }> {
  const account = await accountKnowledge({ tenantId, userId, analysis, phoneNumber }, needs)
  const address = network && (await addressEvidence(addressIn(network), [], needs))
  const shown = account.shownBy({ at: clock.now(), ...address, analysis, phoneNumber, operator })
  const input = account.inputOf(shown)
  if (isProven({ action, hasLogin, input })) await needs.database.batch(account.lessonOf(shown))
  return { input, shown }
}

/** A browser with a key; by default one for which no signal fires. `headers`: those of another recorded browser. */
export function browserIn(
  service: TestService,
  app: App,
  facts: object = ordinaryFacts,
  headers?: Readonly<Record<string, string>>,
) {
  const { parts: needs, tenantId } = service
  let key: InstallationKey = newInstallationKey()
  return {
    clearStorage() {
      key = newInstallationKey()
    },
    async visits(network: NetworkName): Promise<{ analysis: Analysis; dfrId: string; requestId: string }> {
      const from = { 'x-forwarded-for': addressIn(network) }
      const client = headers
        ? await sdkClient(service, { app, key, headers: { ...headers, ...from } })
        : await browserClient(service, { app, key, headers: from })
      const { requestId } = await client.analyse(facts)
      const { body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
      const { dfrId } = body as { dfrId: string }
      return { analysis: (await analysisOf({ dfrId }, { tenantId }, needs))!, dfrId, requestId }
    },
  }
}
