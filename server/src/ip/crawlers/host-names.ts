// What does DNS say of an address and of a host name? Asked of the machine's servers, or of those that the settings name.

import { Resolver } from 'node:dns/promises'
import { ConfigurationError } from '../../config/config.ts'
import type { Settings } from '../../config/settings.ts'
import { type Address, parseAddress } from '../address.ts'
import { reverseName } from './reverse-name.ts'

/** Throws when nobody can be asked or the answer does not come; that there is none is an answer. */
export interface HostNames {
  /** Host names of an address, whoever says so. */
  namesOf(address: Address): Promise<readonly string[]>
  /** Addresses of a host name that are of the same family as this one, in their one spelling. */
  addressesOf(host: string, alike: Address): Promise<readonly string[]>
  /** Gives up what is under way. */
  close(): void
}

/** For each server and try; c-ares doubles it with every round. */
const timeoutMs = 1500
const tries = 2

/** Throws a ConfigurationError that names what is no address of a DNS server. */
export function hostNames({ dnsServers }: Pick<Settings, 'dnsServers'>): HostNames {
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  if (dnsServers !== undefined) {
    try {
      resolver.setServers(dnsServers.split(/[\s,]+/).filter(Boolean))
    } catch (cause) {
      throw new ConfigurationError(`dnsServers: ${(cause as Error).message}`, { cause })
    }
  }
  return {
    // Not `reverse`, which would ask the machine's own file of hosts first.
    namesOf: (address) => found(resolver.resolvePtr(reverseName(address))),
    async addressesOf(host, { words }) {
      const addresses = await found(words.length === 1 ? resolver.resolve4(host) : resolver.resolve6(host))
      return addresses.flatMap((text) => parseAddress(text)?.text ?? [])
    },
    close: () => resolver.cancel(),
  }
}

async function found(answer: Promise<string[]>): Promise<string[]> {
  try {
    return await answer
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    throw error
  }
}
