// Which lists name an IP address now? Reads the file of `ringfence data update`, and reads it again whenever it changes.

import type { Address } from '../../core/address/address.ts'
import type { ListKind } from '../../core/config/ip-data-settings.ts'
import { type DataPlace, newestContent } from '../../core/files/newer-files.ts'
import { type AddressLists, readAddressLists, type StoredList } from './address-lists.ts'
import { addressListFile } from './update-lists.ts'

export interface FoundLists {
  readonly lists: readonly StoredList[]
  /** Any other kind of address is not known. */
  readonly kinds: ReadonlySet<ListKind>
}

export interface AddressListLookUp {
  /** The lists that name the address, and what lists can say of such an address; undefined when no lists were ever fetched. */
  find(address: Address): Promise<FoundLists | undefined>
  /** All lists that are in use. */
  inUse(): Promise<readonly StoredList[]>
}

/** Logs a file that cannot be used, and continues with the previous lists. */
export function openAddressListLookUp(place: DataPlace): AddressListLookUp {
  const newest = newestContent<AddressLists | undefined>(
    addressListFile(place.dataFolder),
    { what: 'IP address lists', none: undefined, read: readAddressLists },
    place,
  )
  return {
    async find(address) {
      const lists = await newest()
      return lists && { lists: lists.find(address), kinds: lists.kindsFor(address, place.clock.now()) }
    },
    async inUse() {
      return (await newest())?.lists ?? []
    },
  }
}
