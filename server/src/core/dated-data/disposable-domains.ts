// Which domains give email addresses away for some minutes? The list of disposable-email-domains (CC0), or a newer one.

import Type, { type Static } from 'typebox'
import { Day, datedTable } from './dated-table.ts'
import shipped from './disposable-domains.json' with { type: 'json' }
import { largeMailDomains } from './large-mail-domains.ts'

const domain = '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$'

const DisposableDomains = Type.Object(
  {
    version: Type.Literal(1),
    asOf: Day,
    domains: Type.Array(Type.String({ pattern: domain, maxLength: 253 }), { minItems: 1000, maxItems: 100_000 }),
  },
  { additionalProperties: false },
)

/** Under these, whole countries register names. */
const suffixes = new Set(
  [
    'co.uk',
    'org.uk',
    'com.au',
    'com.br',
    'co.in',
    'co.jp',
    'ne.jp',
    'com.cn',
    'com.mx',
    'com.tr',
    'co.za',
    'co.kr',
  ].concat(['com.ar', 'com.tw', 'co.id', 'co.nz', 'com.sg', 'com.hk', 'com.pl', 'com.ua', 'co.il', 'co.th']),
)

export const disposableDomains = datedTable({
  schema: DisposableDomains,
  shipped: shipped as Static<typeof DisposableDomains>,
  implausible({ domains }) {
    const honest = domains.find((each) => largeMailDomains.has(each) || suffixes.has(each))
    if (honest !== undefined) return `it has ${honest}, where honest people have addresses`
    return domains.length < shipped.domains.length / 2
      ? `it has ${domains.length} domains, and that of the release ${shipped.domains.length}`
      : undefined
  },
  /** As the list is published: a JSON array, or a text with a domain in each line. */
  published(text) {
    const isArray = /^\s*\[/.test(text)
    if (!isArray && /^\s*[{<]/.test(text)) return undefined
    const lines: unknown = isArray ? JSON.parse(text) : text.split(/\r?\n/)
    if (!Array.isArray(lines)) return undefined
    const domains = lines.map((line) => (typeof line === 'string' ? line.trim().toLowerCase() : line))
    return { version: 1, domains: domains.filter((line) => line !== '' && !String(line).startsWith('#')) }
  },
})
