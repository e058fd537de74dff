// May a webhook be delivered there? Only to public IP addresses: otherwise a tenant could make this server call what is behind its firewall.

import { promises as dns, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { parseAddress } from '../../core/address/address.ts'
import type { Nat64Prefix } from '../../core/address/embedded-address.ts'
import { isPublic } from '../../core/address/public-address.ts'
import type { Settings } from '../../core/config/settings.ts'

export type Targets = Settings['webhookTargets']

/** The text says what is wrong and what to do. */
export class TargetRefused extends Error {
  override name = 'TargetRefused'
}

const longestUrl = 2048
/** Of a host name without its root dot: names that no public DNS has (RFC 6761, 6762, 8375, ICANN's `internal`), or without a domain. */
const localName = /^[^.:]+$|\.(?:localhost|local|internal|home\.arpa)$/

/**
 * The URL of a webhook. It may still resolve to a private IP address: `guardedLookup` looks at each connection.
 * @throws TargetRefused
 */
export function readTarget(
  text: string,
  targets: Targets,
  setting = 'WEBHOOK_TARGETS',
  nat64: readonly Nat64Prefix[] = [],
): URL {
  const unlessAny = `; the operator of the server allows others with ${setting}=any`
  const url = text.length <= longestUrl ? URL.parse(text) : null
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw new TargetRefused(`the URL must begin with https:// and have at most ${longestUrl} characters`)
  }
  if (url.username || url.password) throw new TargetRefused('the URL must have no user name and no password')
  if (url.hash) throw new TargetRefused('the URL must have no fragment (#)')
  if (targets === 'any') return url
  if (url.protocol !== 'https:') throw new TargetRefused(`the URL must begin with https://${unlessAny}`)
  const literal = parseAddress(url.hostname.replace(/^\[(.*)\]$/, '$1'), nat64)
  if (literal && !isPublic(literal)) throw new TargetRefused(`${url.hostname} is not a public IP address${unlessAny}`)
  if (localName.test(url.hostname.replace(/\.$/, ''))) {
    throw new TargetRefused(`${url.hostname} is a name of a local network${unlessAny}`)
  }
  return url
}

/** All addresses of a name. @throws Error when there is none */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

const dnsTimeoutMs = 2000

/**
 * Asks DNS itself and not `getaddrinfo`, whose few threads a slow DNS server would occupy for everything else in this process.
 * `dnsServers`: as in the setting; default: those of the machine.
 */
export function resolver(dnsServers: string | undefined): Resolve {
  const resolve = new dns.Resolver({ timeout: dnsTimeoutMs, tries: 2 })
  if (dnsServers !== undefined) resolve.setServers(dnsServers.split(',').map((server) => server.trim()))
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolve.resolve4(hostname), resolve.resolve6(hostname)])
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason
    return found
  }
}

/** With names of the local network and of /etc/hosts. */
export const resolveLocally: Resolve = (hostname) => dns.lookup(hostname, { all: true })

/**
 * For the socket itself: it connects to nothing but what this returns, so a name that changes its IP address between a check and the connection
 * gains nothing. One address that is not public refuses all.
 */
export function guardedLookup(resolve: Resolve, targets: Targets, nat64: readonly Nat64Prefix[] = []): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const refused = targets === 'any' ? undefined : addresses.find(({ address }) => !isAllowed(address, nat64))
        if (refused)
          return callback(new TargetRefused(`${hostname} resolves to ${refused.address}, which is not public`), [])
        const [first] = addresses
        if (!first) return callback(new Error(`${hostname} has no IP address`), [])
        if (options.all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}

/** A private IPv4 address stays private inside IPv6, and a public one public: behind DNS64 each name has such addresses. */
function isAllowed(address: string, nat64: readonly Nat64Prefix[]): boolean {
  const parsed = parseAddress(address, nat64)
  return parsed !== undefined && isPublic(parsed)
}
