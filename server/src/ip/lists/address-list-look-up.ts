// Which lists name an IP address now? Reads the file of `ringfence data update`, and reads it again whenever it changes.

import type { Logger } from 'pino'
import type { Address } from '../../core/address/address.ts'
import type { Clock } from '../../core/clock.ts'
import type { ListKind } from '../../core/config/ip-data-settings.ts'
import { fileVersion, NewerFiles } from '../../core/files/newer-files.ts'
import { type AddressLists, readAddressLists, type StoredList } from './address-lists.ts'
import { addressListFile } from './update-lists.ts'

/** How often look-ups check for a newer file. */
const checkEveryMs = 5_000

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
  const file = new NewerFiles({
    version: () => fileVersion(path),
    load() {
      lists = readAddressLists(path)
    },
    everyMs: checkEveryMs,
    clock,
    onProblem: (err) => log.error({ err }, 'cannot use the newer IP address lists; continuing with the previous ones'),
  })

  return {
    async find(address) {
      await file.look()
      return lists && { lists: lists.find(address), kinds: lists.kindsFor(address) }
    },
    async inUse() {
      await file.look()
      return lists?.lists ?? []
    },
  }
}
