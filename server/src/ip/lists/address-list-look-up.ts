// Which lists name this address now? The file that `ringfence data update` makes, read anew whenever it changes.

import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { Address } from '../address.ts'
import { fileVersion, lookEveryMs } from '../files/file-version.ts'
import { type AddressLists, type KeptList, readAddressLists } from './address-lists.ts'
import { addressListFile } from './update-lists.ts'

export interface AddressListLookUp {
  /** The lists that name the address; undefined when no lists were ever fetched. */
  find(address: Address): Promise<readonly KeptList[] | undefined>
}

/** A file that cannot be used is logged once, and what was read before stays in use. */
export function openAddressListLookUp({
  dataFolder,
  clock,
  log,
}: {
  dataFolder: string
  clock: Clock
  log: Pick<Logger, 'error'>
}): AddressListLookUp {
  const path = addressListFile(dataFolder)
  let lists: AddressLists | undefined
  let seen: string | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const version = await fileVersion(path)
    if (version === seen) return
    seen = version
    if (version === undefined) return
    try {
      lists = readAddressLists(path)
    } catch (error) {
      log.error({ err: error }, 'the address lists cannot be used; those read before stay in use')
    }
  }

  return {
    async find(address) {
      const now = clock.now()
      // The clock may jump back.
      if (Math.abs(now - lookedAt) >= lookEveryMs) {
        lookedAt = now
        looking = look()
      }
      await looking
      return lists?.find(address)
    },
  }
}
