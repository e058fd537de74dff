// Under which name of this machine is the console open? A single sign-on that began under one ends there, where its cookie is.

import type { RequestOf } from '../../api/call.ts'

type Loopback = NonNullable<RequestOf<'startSso'>['loopback']>
const hosts: Readonly<Record<Loopback, string>> = { localhost: 'localhost', ipv4: '127.0.0.1', ipv6: '[::1]' }

interface Opened {
  readonly hostname: string
  readonly href: string
}

/** Undefined where the console is not on this machine. */
export const loopbackOf = ({ hostname }: Pick<Opened, 'hostname'>): Loopback | undefined =>
  (Object.keys(hosts) as Loopback[]).find((name) => hosts[name] === hostname)

/** Where the callback leads, when the identity provider returned to another name of this machine. It leads to no other machine. */
export function wayBack({ hostname, href }: Opened, state: string): string | undefined {
  const began = hosts[/_at_(localhost|ipv4|ipv6)$/.exec(state)?.[1] as Loopback]
  if (began === undefined || began === hostname || loopbackOf({ hostname }) === undefined) return undefined
  const url = new URL(href)
  url.hostname = began
  return url.href
}
