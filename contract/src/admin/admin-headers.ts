// Which headers and cookies do calls of the admin API have, besides those of every call?

export const adminHeaders = {
  'x-ringfence-tenant': 'tenantId of the tenant to call for; without it, the first one of the person',
  'x-ringfence-csrf': 'csrfToken of the session; required with each POST in a session',
  'x-ringfence-unattended':
    'true: a page calls automatically, and nobody is at it. The call does not keep the session alive',
} as const

/** Header of a change that needs the version of the record. */
export const ifMatchHeader = {
  name: 'If-Match',
  description:
    'Version of the record that you have read: its ETag, such as `"7"`. If somebody has changed the record since, nothing is changed (412). `*` overwrites any version',
} as const

/** The session of a person. The prefix lets no other host of the domain set it (RFC 6265bis, 4.1.3.2). */
export const consoleCookie = '__Host-ringfence'
