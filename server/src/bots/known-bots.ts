// Which bots name themselves in their user agent? Their names, operators and categories, and who can prove them.

import type { BotCategory } from '../core/config/bot-settings.ts'
import type { CrawlerName } from '../core/config/ip-data-settings.ts'

/** How the name of a bot was proved: Web Bot Auth, reverse DNS, IP ranges of its publisher; `none`: it only claims the name. */
export const botProofs = ['signature', 'hostname', 'ip-range', 'none'] as const
export type BotProof = (typeof botProofs)[number]

export interface KnownBot {
  /** As its operator writes it. */
  readonly name: string
  readonly operator: string
  readonly category: BotCategory
  readonly userAgent: RegExp
  /**
   * Whose host names or IP ranges verify it. Absent for a bot that cannot be verified by its IP address: also for fetchers that anyone
   * can direct, such as ChatGPT-User, whose IP address says nothing about the sender.
   */
  readonly publisher?: CrawlerName
}

/** The first one that fits is the bot. */
export const knownBots: readonly KnownBot[] = [
  // Google. https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers
  of('Google', 'google', [
    ['AdsBot-Google', 'advertising', /\bAdsBot-Google/i],
    ['Mediapartners-Google', 'advertising', /\bMediapartners-Google\b/i],
    ['Google-CloudVertexBot', 'aiCrawler', /\bGoogle-CloudVertexBot\b/i],
    ['Google-InspectionTool', 'seo', /\bGoogle-InspectionTool\b/i],
    ['GoogleOther', 'searchEngine', /\bGoogleOther\b/i],
    ['Storebot-Google', 'searchEngine', /\bStorebot-Google\b/i],
    ['APIs-Google', 'monitoring', /\bAPIs-Google\b/i],
    ['Googlebot', 'searchEngine', /\bGooglebot\b/i],
  ]),
  of('Google', undefined, [
    ['Google-Agent', 'aiAgent', /\bGoogle-Agent\b/],
    ['FeedFetcher-Google', 'feed', /\bFeedFetcher-Google\b/i],
    ['Google-Read-Aloud', 'aiAssistant', /\bGoogle-Read-Aloud\b/i],
  ]),
  // Microsoft. https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0
  of('Microsoft', 'bing', [
    ['adidxbot', 'advertising', /\badidxbot\b/i],
    ['BingPreview', 'preview', /\bBingPreview\b/i],
    ['MicrosoftPreview', 'preview', /\bMicrosoftPreview\b/i],
    ['bingbot', 'searchEngine', /\bbingbot\b/i],
  ]),
  of('Yandex', 'yandex', [['YandexBot', 'searchEngine', /\bYandex\w*Bot\b|yandex\.com\/bots/i]]),
  of('Baidu', 'baidu', [['Baiduspider', 'searchEngine', /\bBaiduspider\b/i]]),
  of('DuckDuckGo', 'duckduckgo', [
    ['DuckAssistBot', 'aiAssistant', /\bDuckAssistBot\b/i],
    ['DuckDuckBot', 'searchEngine', /\bDuckDuckBot\b/i],
  ]),
  of('Apple', 'apple', [['Applebot', 'searchEngine', /\bApplebot\b/i]]),
  of('Seznam', 'seznam', [['SeznamBot', 'searchEngine', /\bSeznamBot\b/i]]),
  of('Naver', 'naver', [['Yeti', 'searchEngine', /\bYeti\/\d.*naver/i]]),
  of('Huawei', 'petal', [['PetalBot', 'searchEngine', /\bPetalBot\b/i]]),
  of('Amazon', 'amazon', [['Amazonbot', 'aiCrawler', /\bAmazonbot\b/i]]),
  of('Common Crawl', 'commonCrawl', [['CCBot', 'aiCrawler', /\bCCBot\b/i]]),
  // OpenAI. https://platform.openai.com/docs/bots
  of('OpenAI', 'openai', [
    ['OAI-SearchBot', 'searchEngine', /\bOAI-SearchBot\b/i],
    ['GPTBot', 'aiCrawler', /\bGPTBot\b/i],
  ]),
  of('OpenAI', undefined, [['ChatGPT-User', 'aiAssistant', /\bChatGPT-User\b/i]]),
  of('Anthropic', 'anthropic', [
    ['Claude-SearchBot', 'searchEngine', /\bClaude-SearchBot\b/i],
    ['ClaudeBot', 'aiCrawler', /\bClaudeBot\b/i],
  ]),
  of('Anthropic', undefined, [['Claude-User', 'aiAssistant', /\bClaude-User\b/i]]),
  of('Perplexity', 'perplexity', [['PerplexityBot', 'searchEngine', /\bPerplexityBot\b/i]]),
  of('Perplexity', undefined, [['Perplexity-User', 'aiAssistant', /\bPerplexity-User\b/i]]),
  of('Mistral', undefined, [['MistralAI-User', 'aiAssistant', /\bMistralAI-User\b/i]]),
  of('ByteDance', undefined, [['Bytespider', 'aiCrawler', /\bBytespider\b/i]]),
  of('Cohere', undefined, [['cohere-ai', 'aiAssistant', /\bcohere-(ai|training-data-crawler)\b/i]]),
  of('Diffbot', undefined, [['Diffbot', 'aiCrawler', /\bDiffbot\b/i]]),
  of('Amazon', undefined, [['NovaAct', 'aiAgent', /\bNovaAct\b/]]),
  of('Meta', undefined, [
    ['meta-externalfetcher', 'aiAssistant', /\bmeta-externalfetcher\b/i],
    ['meta-externalagent', 'aiCrawler', /\bmeta-externalagent\b/i],
    ['facebookexternalhit', 'preview', /\bfacebookexternalhit\b/i],
    ['WhatsApp', 'preview', /^WhatsApp\/\d/],
  ]),
  of('X', undefined, [['Twitterbot', 'preview', /\bTwitterbot\b/i]]),
  of('LinkedIn', undefined, [['LinkedInBot', 'preview', /\bLinkedInBot\b/i]]),
  of('Slack', undefined, [['Slackbot', 'preview', /\bSlack(bot|-ImgProxy)\b/i]]),
  of('Discord', undefined, [['Discordbot', 'preview', /\bDiscordbot\b/i]]),
  of('Telegram', undefined, [['TelegramBot', 'preview', /\bTelegramBot\b/i]]),
  of('Pinterest', undefined, [['Pinterestbot', 'preview', /\bPinterest(bot)?\/\d.*\bpinterest\.com/i]]),
  of('Ahrefs', undefined, [
    ['AhrefsSiteAudit', 'seo', /\bAhrefsSiteAudit\b/i],
    ['AhrefsBot', 'seo', /\bAhrefsBot\b/i],
  ]),
  of('Semrush', undefined, [['SemrushBot', 'seo', /\bSe[mr]rushBot\b|\bSiteAuditBot\b/i]]),
  of('Majestic', undefined, [['MJ12bot', 'seo', /\bMJ12bot\b/i]]),
  of('Moz', undefined, [['rogerbot', 'seo', /\b(rogerbot|dotbot)\b/i]]),
  of('Screaming Frog', undefined, [['Screaming Frog SEO Spider', 'seo', /\bScreaming Frog SEO Spider\b/i]]),
  of('DataForSEO', undefined, [['DataForSeoBot', 'seo', /\bDataForSeoBot\b/i]]),
  of('UptimeRobot', undefined, [['UptimeRobot', 'monitoring', /\bUptimeRobot\b/i]]),
  of('Pingdom', undefined, [['PingdomBot', 'monitoring', /\bPingdom(\.com_bot|PageSpeed|TMS|Bot)/i]]),
  of('Datadog', undefined, [['DatadogSynthetics', 'monitoring', /\bDatadog\/?Synthetics\b/i]]),
  of('StatusCake', undefined, [['StatusCake', 'monitoring', /\bStatusCake\b/i]]),
  of('Site24x7', undefined, [['Site24x7', 'monitoring', /\bSite24x7\b/i]]),
  of('Better Stack', undefined, [['Better Uptime Bot', 'monitoring', /\bBetter (Stack|Uptime) (Bot)?/i]]),
  of('Google', undefined, [['Chrome-Lighthouse', 'monitoring', /\bChrome-Lighthouse\b/i]]),
  of('Feedly', undefined, [['Feedly', 'feed', /\bFeedly(Bot|App)?\/\d/i]]),
  of('Inoreader', undefined, [['inoreader', 'feed', /\binoreader\.com\b/i]]),
  of('NewsBlur', undefined, [['NewsBlur', 'feed', /\bNewsBlur\b/i]]),
  of('Internet Archive', undefined, [['archive.org_bot', 'archive', /\barchive\.org_bot\b|\bia_archiver\b/i]]),
].flat()

type Row = readonly [name: string, category: BotCategory, userAgent: RegExp]

function of(operator: string, publisher: CrawlerName | undefined, rows: readonly Row[]): KnownBot[] {
  return rows.map(([name, category, userAgent]) => ({
    name,
    operator,
    category,
    userAgent,
    ...(publisher && { publisher }),
  }))
}

/** The bot that a user agent claims to be. Anyone can send it: what it says is not proved. */
export function claimedBot(userAgent: string | undefined): KnownBot | undefined {
  return userAgent === undefined ? undefined : knownBots.find((bot) => bot.userAgent.test(userAgent))
}
