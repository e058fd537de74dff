// How do publishers of crawlers let anyone verify them? By the host names of their IP addresses, or by lists of IP ranges.

import type { CrawlerName } from '../../core/config/ip-data-settings.ts'

/**
 * The host names, where the publisher documents reverse DNS. The others are verified by the IP ranges of their publishers
 * (`ringfence data update`, lists of the kind `crawler`). The user agents are in bots/known-bots.ts.
 */
const publishers: Readonly<Record<CrawlerName, Publisher>> = {
  google: { hosts: /^(.+\.googlebot\.com|rate-limited-proxy-[\d-]+\.google\.com)$/ },
  bing: { hosts: /\.search\.msn\.com$/ },
  yandex: { hosts: /\.yandex\.(ru|net|com)$/ },
  baidu: { hosts: /\.baidu\.(com|jp)$/ },
  duckduckgo: {},
  apple: { hosts: /\.applebot\.apple\.com$/ },
  seznam: { hosts: /\.seznam\.cz$/ },
  naver: { hosts: /\.web\.naver\.com$/ },
  petal: { hosts: /\.petalsearch\.com$/ },
  amazon: { hosts: /\.crawl\.amazonbot\.amazon$/ },
  commonCrawl: { hosts: /\.crawl\.commoncrawl\.org$/ },
  openai: {},
  anthropic: {},
  perplexity: {},
}

interface Publisher {
  readonly hosts?: RegExp
}

/** Whether the publisher documents host names of its crawlers. */
export const isKnownByHost = (name: CrawlerName): boolean => publishers[name].hosts !== undefined

/** Whether the host name is one of the crawler's. */
export function isHostOf(name: CrawlerName, host: string): boolean {
  return publishers[name].hosts?.test(host.toLowerCase().replace(/\.$/, '')) ?? false
}
