// From which IP addresses does a page of a test hide? Each of these is on one made-up list.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ListKind } from '@ringfence/server/core/config/ip-data-settings.ts'
import { encodeAddressLists } from '@ringfence/server/ip/lists/address-lists.ts'
import { rangesOfList } from '@ringfence/server/ip/lists/published-list.ts'
import { addressListFile } from '@ringfence/server/ip/lists/update-lists.ts'
import type { Parts } from '@ringfence/server/parts.ts'

export type TestAddresses = Readonly<Record<'tor' | 'vpn' | 'proxy' | 'datacenter' | 'relay', string>>

// Public ones, as nothing is said of an address for documentation, in the time zone of the made-up browsers.
export const addresses: TestAddresses = {
  tor: '49.200.0.2',
  vpn: '49.200.0.3',
  proxy: '49.200.0.4',
  datacenter: '49.200.0.5',
  relay: '49.200.0.6',
}

const kinds: Readonly<Record<keyof TestAddresses, ListKind>> = {
  tor: 'tor',
  vpn: 'vpnServer',
  proxy: 'openProxy',
  datacenter: 'cloud',
  relay: 'relay',
}

/** Later than any clock of a test: a list of a day ago says nothing of a Tor exit. */
const datedMs = Date.UTC(2200, 0, 1)

/** Before the service starts. */
export async function writeAddressLists(dataFolder: string): Promise<void> {
  const lists = Object.entries(addresses).map(([name, address]) => ({
    ...{ name, datedMs, entries: 1, kind: kinds[name as keyof TestAddresses] },
    ranges: rangesOfList(`${address}\n`),
  }))
  const file = addressListFile(dataFolder)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, encodeAddressLists(lists))
}

/** On a busy machine, the first page would come before the lists. */
export async function listsInUse({ ip }: Pick<Parts, 'ip'>): Promise<void> {
  while ((await ip.lists.inUse()).length === 0) await wait(5)
}
