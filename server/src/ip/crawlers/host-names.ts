// Which host names does an IP address have in DNS, and which IP addresses does a host name have?

import { Resolver } from 'node:dns/promises'
import { type Address, parseAddress } from '../../core/address/address.ts'
import { ConfigurationError } from '../../core/config/config.ts'
import type { Settings } from '../../core/config/settings.ts'
import { reverseName } from './reverse-name.ts'

/** Uses the DNS servers of the machine, or DNS_SERVERS. Throws when DNS fails; returns an empty list when there is no record. */
export interface HostNames {
  /** Host names of an IP address, as its owner set them: not verified. */
  namesOf(address: Address): Promise<readonly string[]>
  /** IP addresses of a host name in the family of `alike`, in canonical form. */
  addressesOf(host: string, alike: Address): Promise<readonly string[]>
  /** Cancels queries in flight. */
  close(): void
}

/** For each server and attempt; c-ares doubles it with every round. */
const timeoutMs = 1500
const tries = 2

/** Throws a ConfigurationError that names an invalid DNS server. */
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
    // Not `reverse`, which reads the hosts file of the machine first.
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
