// Which crawlers identify themselves, and how does their publisher let anyone verify it?

/**
 * For each crawler the user agents and, when the publisher documents reverse DNS, the host names of its IP addresses. The others are
 * verified by the IP ranges of their publishers (`ringfence data update`, lists of the kind `crawler`). Fetchers that anyone can
 * direct, such as ChatGPT-User and Google's proxies, are not crawlers.
 */
const table = {
  google: {
    agents:
      /\b(Googlebot|Google-InspectionTool|GoogleOther|Storebot-Google|AdsBot-Google|Mediapartners-Google|APIs-Google|Google-CloudVertexBot)\b/i,
    hosts: /^(.+\.googlebot\.com|rate-limited-proxy-[\d-]+\.google\.com)$/,
  },
  bing: { agents: /\b(bingbot|adidxbot|BingPreview|MicrosoftPreview)\b/i, hosts: /\.search\.msn\.com$/ },
  yandex: { agents: /\bYandex\w*Bot\b|yandex\.com\/bots/i, hosts: /\.yandex\.(ru|net|com)$/ },
  baidu: { agents: /\bBaiduspider\b/i, hosts: /\.baidu\.(com|jp)$/ },
  duckduckgo: { agents: /\b(DuckDuckBot|DuckAssistBot)\b/i },
  apple: { agents: /\bApplebot\b/i, hosts: /\.applebot\.apple\.com$/ },
  seznam: { agents: /\bSeznamBot\b/i, hosts: /\.seznam\.cz$/ },
  naver: { agents: /\bYeti\/\d.*naver/i, hosts: /\.web\.naver\.com$/ },
  petal: { agents: /\bPetalBot\b/i, hosts: /\.petalsearch\.com$/ },
  amazon: { agents: /\bAmazonbot\b/i, hosts: /\.crawl\.amazonbot\.amazon$/ },
  commonCrawl: { agents: /\bCCBot\b/i, hosts: /\.crawl\.commoncrawl\.org$/ },
  openai: { agents: /\b(GPTBot|OAI-SearchBot)\b/i },
  anthropic: { agents: /\b(ClaudeBot|Claude-SearchBot)\b/i },
  perplexity: { agents: /\bPerplexityBot\b/i },
} as const satisfies Readonly<Record<string, Crawler>>

interface Crawler {
  readonly agents: RegExp
  readonly hosts?: RegExp
}

export type CrawlerName = keyof typeof table

export const crawlerNames = Object.keys(table) as CrawlerName[]

const crawlers: Readonly<Record<CrawlerName, Crawler>> = table

/** The crawler that a user agent claims to be; undefined for any that cannot be verified. */
export function declaredCrawler(userAgent: string | undefined): CrawlerName | undefined {
  if (userAgent === undefined) return undefined
  return crawlerNames.find((name) => crawlers[name].agents.test(userAgent))
}

/** Whether the publisher documents host names of its crawlers. */
export const isKnownByHost = (name: CrawlerName): boolean => crawlers[name].hosts !== undefined

/** Whether the host name is one of the crawler's. */
export function isHostOf(name: CrawlerName, host: string): boolean {
  return crawlers[name].hosts?.test(host.toLowerCase().replace(/\.$/, '')) ?? false
}
