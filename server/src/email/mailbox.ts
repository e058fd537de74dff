// Which addresses reach one mailbox? One form for all of them, as the providers document it.

import { partsOf } from './email-address.ts'

/** Which addresses count as one: `none`; those that providers document; and `+tag` at every other domain too. */
export const foldings = ['none', 'providers', 'tags'] as const
export type Folding = (typeof foldings)[number]

interface Provider {
  /** The first one is in the canonical form: all have the same mailboxes. */
  readonly domains: readonly string[]
  /** Begins what a person may add to the name. */
  readonly tag?: '+' | '-'
  /** Characters that the provider ignores in a name. */
  readonly ignored?: RegExp
  /** Characters that the provider takes for a hyphen. */
  readonly hyphens?: RegExp
  /** `anything@name.domain` reaches `name@domain`. */
  readonly hasSubdomains?: true
}

const plus = (...domains: string[]): Provider[] => domains.map((domain) => ({ domains: [domain], tag: '+' }))
/** Yahoo: disposable addresses are a base name, a hyphen and a keyword. Nobody else gets the base name, and no name has a hyphen. */
const hyphen = (...domains: string[]): Provider[] => domains.map((domain) => ({ domains: [domain], tag: '-' }))

/** As each of them documents it. What is not documented is not here: another person may have the address. */
const providers: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], tag: '+', ignored: /\./g },
  ...plus('outlook.com', 'outlook.fr', 'outlook.de', 'outlook.it', 'outlook.es', 'outlook.in', 'outlook.jp'),
  ...plus('outlook.com.br', 'outlook.co.id', 'outlook.com.au', 'hotmail.com', 'hotmail.co.uk', 'hotmail.fr'),
  ...plus('hotmail.de', 'hotmail.it', 'hotmail.es', 'hotmail.be', 'hotmail.nl', 'hotmail.ca', 'hotmail.com.br'),
  ...plus('hotmail.com.ar', 'hotmail.com.mx', 'hotmail.com.au', 'hotmail.co.jp', 'live.com', 'live.co.uk', 'live.fr'),
  ...plus('live.de', 'live.it', 'live.nl', 'live.be', 'live.ca', 'live.in', 'live.jp', 'live.com.mx', 'live.com.au'),
  ...plus('msn.com', 'windowslive.com', 'passport.com'),
  { domains: ['icloud.com', 'me.com', 'mac.com'], tag: '+' },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], tag: '+', ignored: /[._-]/g },
  {
    domains: ['yandex.ru', 'ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua'],
    tag: '+',
    hyphens: /\./g,
  },
  { domains: ['fastmail.com'], tag: '+', hasSubdomains: true },
  { domains: ['fastmail.fm'], tag: '+', hasSubdomains: true },
  ...plus('hey.com', 'posteo.de', 'mailbox.org', 'zoho.com', 'zohomail.com'),
  ...hyphen('yahoo.com', 'yahoo.co.uk', 'yahoo.co.in', 'yahoo.in', 'yahoo.fr', 'yahoo.de', 'yahoo.it', 'yahoo.es'),
  ...hyphen('yahoo.ca', 'yahoo.com.br', 'yahoo.com.ar', 'yahoo.com.mx', 'yahoo.com.au', 'yahoo.co.id', 'yahoo.com.ph'),
  ...hyphen('yahoo.com.sg', 'yahoo.com.tw', 'yahoo.com.hk', 'yahoo.gr', 'yahoo.ie', 'yahoo.pl', 'yahoo.ro'),
  ...hyphen('ymail.com', 'rocketmail.com', 'myyahoo.com'),
]

const byDomain = new Map(providers.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)))

/**
 * Of a canonical address: the same for all of one mailbox. For counts and lists, never for who somebody is.
 * `tags`: some servers tell such addresses apart, so it may be too strict, and never too lax.
 */
export function mailboxOf(address: string, folding: Folding): string {
  if (folding === 'none') return address
  const { local, domain } = partsOf(address)
  const provider = byDomain.get(domain)
  if (provider) return mailboxAt(provider, local, address)
  const [name = '', parent] = splitAtDot(domain)
  const host = parent === undefined ? undefined : byDomain.get(parent)
  if (host?.hasSubdomains) return `${name}@${parent}`
  return folding === 'tags' ? `${untagged(local, '+')}@${domain}` : address
}

function mailboxAt({ domains: [domain], tag, ignored, hyphens }: Provider, local: string, address: string): string {
  const name = tag === undefined ? local : untagged(local, tag)
  const folded = name.replace(ignored ?? '', '').replace(hyphens ?? '', hyphens ? '-' : '')
  return folded === '' ? address : `${folded}@${domain}`
}

/** A name that begins with the character has no tag. No address ends in a dot before its @. */
export function untagged(local: string, tag: '+' | '-'): string {
  const at = local.indexOf(tag)
  const name = at < 1 ? local : local.slice(0, at).replace(/\.$/, '')
  return name === '' ? local : name
}

const splitAtDot = (domain: string): [name: string, parent?: string] => {
  const dot = domain.indexOf('.')
  return dot < 0 ? [domain] : [domain.slice(0, dot), domain.slice(dot + 1)]
}
