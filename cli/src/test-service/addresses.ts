// From which IP addresses does a page of a test hide? Each of these is on one made-up list.

import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { MovableClock } from '@ringfence/sandbox'
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

const hourMs = 3_600_000

const kinds: Readonly<Record<keyof TestAddresses, ListKind>> = {
  tor: 'tor',
  vpn: 'vpnServer',
  proxy: 'openProxy',
  datacenter: 'cloud',
  relay: 'relay',
}

/**
 * Lists that are as old as the clock says, wherever a test moves it: one of a day ago says nothing of a Tor exit, and one that is dated in
 * the future says nothing at all.
 */
export function publishing(clock: MovableClock, dataFolder: string): MovableClock {
  const publish = () => writeAddressLists(dataFolder, clock.now())
  publish()
  setInterval(publish, hourMs).unref()
  const moving = (move: (by: number) => void) => (by: number) => {
    move(by)
    publish()
  }
  const { advance, set, reset } = clock
  return { ...clock, advance: moving(advance), set: moving(set), reset: () => moving(reset)(0) }
}

/** At once, so that the answer to a move of the clock comes after it. */
function writeAddressLists(dataFolder: string, datedMs: number): void {
  const lists = Object.entries(addresses).map(([name, address]) => ({
    ...{ name, datedMs, entries: 1, kind: kinds[name as keyof TestAddresses] },
    ranges: rangesOfList(`${address}\n`),
  }))
  const file = addressListFile(dataFolder)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, encodeAddressLists(lists))
  renameSync(`${file}.new`, file)
}

/** On a busy machine, the first page would come before the lists. */
export async function listsInUse({ ip }: Pick<Parts, 'ip'>): Promise<void> {
  while ((await ip.lists.inUse()).length === 0) await wait(5)
}
