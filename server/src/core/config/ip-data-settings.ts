// Which IP data does `ringfence data update` fetch? What the configuration file says of each file and list.

import Type, { type Static } from 'typebox'
import { PublishedUrl } from '../address/called-url.ts'

/** The publishers of crawlers whose ranges can be on a list. */
export const crawlerNames = [
  'google',
  'bing',
  'yandex',
  'baidu',
  'duckduckgo',
  'apple',
  'seznam',
  'naver',
  'petal',
  'amazon',
  'commonCrawl',
  'openai',
  'anthropic',
  'perplexity',
] as const
export type CrawlerName = (typeof crawlerNames)[number]

/** A file, under a name of your choice in the configuration file. Files of one kind are searched in the order of their names. */
export const PublishedFile = Type.Object(
  {
    kind: Type.Enum(['city', 'asn'], {
      description: 'What the file contains: the location of an IP address, or its network operator',
    }),
    url: PublishedUrl(
      'Where it is published: an MMDB file, plain or gzip. {YYYY-MM} is this month, or the previous month if this month’s file does not exist yet',
    ),
  },
  { additionalProperties: false },
)
export type PublishedFile = Static<typeof PublishedFile>

export type PublishedFiles = Readonly<Record<string, PublishedFile>>

/** What the addresses on a list are. One list is enough, except for `datacenter` and `abuse`, where lists are counted. */
export const listKinds = [
  'tor',
  'openProxy',
  'vpnServer',
  'vpnRange',
  'cloud',
  'relay',
  'gateway',
  'datacenter',
  'abuse',
  'crawler',
] as const
export type ListKind = (typeof listKinds)[number]

/** A list, under a name of your choice in the configuration file. */
export const PublishedList = Type.Object(
  {
    kind: Type.Enum(listKinds, {
      description:
        'What an IP address on it is: a Tor exit, an open proxy, a VPN server or a range with VPN servers, a published range of a cloud, a relay that keeps the user’s country, a company’s gateway, a datacenter (two such lists must agree), reported for abuse (more lists mean more risk), a crawler of the publisher in `crawler`',
    }),
    url: PublishedUrl('Where it is published: lines, CSV or JSON. Use file:// for a list of your own'),
    crawler: Type.Optional(
      Type.Enum(crawlerNames, { description: 'The publisher of the crawlers, for a list of the kind `crawler`' }),
    ),
    licence: Type.Optional(Type.String({ description: 'Shown by `ringfence data status`' })),
  },
  { additionalProperties: false },
)
export type PublishedList = Static<typeof PublishedList>

export type PublishedLists = Readonly<Record<string, PublishedList>>
