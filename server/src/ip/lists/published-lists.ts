// Which IP address lists does `ringfence data update` fetch? Those of the configuration file, else these.

import type { PublishedLists } from '../../core/config/ip-data-settings.ts'

/** Lists that their publishers offer to everyone. No list of residential proxies is free. */
export const defaultLists: PublishedLists = {
  'tor-exits': {
    kind: 'tor',
    url: 'https://check.torproject.org/torbulkexitlist',
    licence: 'CC BY 3.0 US, The Tor Project',
  },
  'apple-private-relay': {
    kind: 'relay',
    url: 'https://mask-api.icloud.com/egress-ip-ranges.csv',
    licence: 'published by Apple for this use',
  },
  aws: {
    kind: 'cloud',
    url: 'https://ip-ranges.amazonaws.com/ip-ranges.json',
    licence: 'published by Amazon for this use',
  },
  'google-cloud': {
    kind: 'cloud',
    url: 'https://www.gstatic.com/ipranges/cloud.json',
    licence: 'published by Google for this use',
  },
  oracle: {
    kind: 'cloud',
    url: 'https://docs.oracle.com/iaas/tools/public_ip_ranges.json',
    licence: 'published by Oracle for this use',
  },
  'x4bnet-vpn': {
    kind: 'vpnRange',
    url: 'https://raw.githubusercontent.com/X4BNet/lists_vpn/main/output/vpn/ipv4.txt',
    licence: 'MIT',
  },
  'x4bnet-datacenter': {
    kind: 'datacenter',
    url: 'https://raw.githubusercontent.com/X4BNet/lists_vpn/main/output/datacenter/ipv4.txt',
    licence: 'MIT',
  },
  googlebot: {
    kind: 'crawler',
    crawler: 'google',
    url: 'https://developers.google.com/static/crawling/ipranges/common-crawlers.json',
    licence: 'published by Google for this use',
  },
  'google-special-crawlers': {
    kind: 'crawler',
    crawler: 'google',
    url: 'https://developers.google.com/static/crawling/ipranges/special-crawlers.json',
    licence: 'published by Google for this use',
  },
  bingbot: {
    kind: 'crawler',
    crawler: 'bing',
    url: 'https://www.bing.com/toolbox/bingbot.json',
    licence: 'published by Microsoft for this use',
  },
  applebot: {
    kind: 'crawler',
    crawler: 'apple',
    url: 'https://search.developer.apple.com/applebot.json',
    licence: 'published by Apple for this use',
  },
  duckduckbot: {
    kind: 'crawler',
    crawler: 'duckduckgo',
    url: 'https://duckduckgo.com/duckduckbot.json',
    licence: 'published by DuckDuckGo for this use',
  },
  duckassistbot: {
    kind: 'crawler',
    crawler: 'duckduckgo',
    url: 'https://duckduckgo.com/duckassistbot.json',
    licence: 'published by DuckDuckGo for this use',
  },
  ccbot: {
    kind: 'crawler',
    crawler: 'commonCrawl',
    url: 'https://index.commoncrawl.org/ccbot.json',
    licence: 'published by Common Crawl for this use',
  },
  gptbot: {
    kind: 'crawler',
    crawler: 'openai',
    url: 'https://openai.com/gptbot.json',
    licence: 'published by OpenAI for this use',
  },
  'openai-searchbot': {
    kind: 'crawler',
    crawler: 'openai',
    url: 'https://openai.com/searchbot.json',
    licence: 'published by OpenAI for this use',
  },
  claudebot: {
    kind: 'crawler',
    crawler: 'anthropic',
    url: 'https://claude.com/crawling/bots.json',
    licence: 'published by Anthropic for this use',
  },
  perplexitybot: {
    kind: 'crawler',
    crawler: 'perplexity',
    url: 'https://www.perplexity.com/perplexitybot.json',
    licence: 'published by Perplexity for this use',
  },
}
