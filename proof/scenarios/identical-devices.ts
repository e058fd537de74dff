// How do other devices get the same facts in the store? Each was another machine once, then its browser reported these.

import { newInstallationKey } from '@ringfence/server/testing/installation-key.ts'
import { sdkClientOf } from '@ringfence/server/testing/sdk-client.ts'
import type { Told } from './page.ts'
import type { Service } from './service.ts'

/** Other networks; documentation addresses (RFC 5737). */
const addresses = ['198.51.100.101', '198.51.100.202', '192.0.2.33', '192.0.2.144'] as const

/** Facts that another machine would have; each of the four has its own. */
const otherMachine = (facts: Told['facts'], index: number): Told['facts'] => ({
  ...facts,
  canvas: { geometry: `${index}a1b2c3d4e5f6071`, text: `${index}99aabbccddeeff0`, isStable: true, isExact: true },
  fonts: ['Calibri', 'Consolas', 'Futura', 'Roboto', 'Ubuntu', 'Vrinda'].slice(index),
  fontWidths: [100 + index, 90 + index, 80 + index],
  hardwareConcurrency: 2 * (index + 8),
  language: 'de-DE',
  languages: ['de-DE', ['fr', 'it', 'es', 'pl'][index]],
  timezone: ['Europe/Berlin', 'Europe/Rome', 'Europe/Madrid', 'Europe/Warsaw'][index],
  timezoneOffset: -60,
  screen: { width: 1600 + 10 * index, height: 900, availWidth: 1600, availHeight: 860, colorDepth: 24 },
  webgl: undefined,
  workerScope: undefined,
})

/** Makes four devices that report these facts, each proved by its own key. Throws when they are not four; returns their ids. */
export async function addIdenticalDevices(
  { facts, headers }: Pick<Told, 'facts' | 'headers'>,
  origin: string,
  service: Pick<Service, 'url' | 'app' | 'deviceIdOf'>,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const [index, address] of addresses.entries()) {
    const key = newInstallationKey()
    const options = { packageName: origin, key, headers: { ...headers, 'x-forwarded-for': address } }
    const sdk = await sdkClientOf(service.app, service, options)
    const { deviceToken } = await sdk.analyse(otherMachine(facts, index))
    const { dfrId } = await sdk.fingerprint({ ...facts, deviceToken })
    ids.add(await service.deviceIdOf(dfrId))
  }
  if (ids.size < addresses.length) throw new Error(`The ${addresses.length} identical devices are ${ids.size}`)
  return ids
}
