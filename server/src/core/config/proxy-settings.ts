// Which proxies and translators are in front of the service? Part of server/src/core/config/settings.ts.

import Type from 'typebox'

const optionalText = (options: { env: string; description: string; form: string; pattern?: string }) =>
  Type.Optional(Type.String({ minLength: 1, ...options }))

export const proxies = {
  trustedProxies: optionalText({
    env: 'TRUSTED_PROXIES',
    description:
      'Proxies in front of the service. Only their header says from which IP address a request comes; the header of any other sender is ignored.',
    form: 'one text with IP addresses and CIDR blocks, separated by commas, such as `10.0.0.0/8, 2001:db8::/32`',
  }),
  forwardedHeader: Type.Enum(['x-forwarded-for', 'forwarded'], {
    env: 'FORWARDED_HEADER',
    description: 'Header that the trusted proxies write. The other one is ignored.',
    default: 'x-forwarded-for',
  }),
  nat64Prefixes: optionalText({
    env: 'NAT64_PREFIXES',
    description:
      'Prefixes of the NAT64 in front of the service, beside `64:ff9b::/96`. An IPv6 address in one counts as the IPv4 address inside it, except for the allowed IP addresses of a client.',
    form: 'one text with IPv6 prefixes of 32, 40, 48, 56, 64 or 96 bits, separated by commas, such as `2001:db8:64::/96`',
  }),
  tcpFingerprintHeader: optionalText({
    env: 'TCP_FINGERPRINT_HEADER',
    description:
      'Header in which the trusted proxies send the TCP fingerprint of a connection: `ip.fp(3)` of HAProxy in hex. They must overwrite what the client sent.',
    pattern: '^x-[a-z0-9-]{1,60}$',
    form: 'a name that begins with `x-`, in lower case',
  }),
  tlsFingerprintHeader: optionalText({
    env: 'TLS_FINGERPRINT_HEADER',
    description:
      'Header in which the trusted proxies send the TLS fingerprint (JA4) of a connection. They must overwrite what the client sent.',
    pattern: '^x-[a-z0-9-]{1,60}$',
    form: 'a name that begins with `x-`, in lower case',
  }),
}
