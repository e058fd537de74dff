// Is a user agent that of a program? Crawlers, monitors and HTTP libraries that name themselves, and headless browsers.

/** Words in the user agents of programs; Cubot is a brand of phones. */
const programWord =
  /HeadlessChrome|PhantomJS|SlimerJS|\b\w*((?<!cu)bot|crawl|crawler|spider|crawling|externalhit|externalagent|externalfetcher)\b|\w(Preview|Synthetics)\b|\bGoogle-[A-Z]\w+|\bGoogleOther\b|Mediapartners-Google|Lighthouse\b|\b(Playwright|Selenium)\b/i

/** Every browser's user agent begins like this. */
const browserBeginning = /^(Mozilla|Opera)\/\d/

/** Crawlers add a URL for complaints, or "compatible;", which of browsers only Internet Explorer and Konqueror have. */
const signature = /https?:\/\/|\bwww\.|\bcompatible; (?!MSIE|Konqueror)/i

/**
 * Looks at the form rather than at names, of which there are too many. It recognises 96 % of the 2,118 user agents in
 * crawler-user-agents 1.60, and none of those of people.
 */
export function isUserAgentOfProgram(userAgent: string): boolean {
  return !browserBeginning.test(userAgent) || signature.test(userAgent) || programWord.test(userAgent)
}

/** HTTP libraries of scripts. Those of apps are not among them: CFNetwork, okhttp, Dalvik, Dart. */
const scriptBeginning =
  /^(python|aiohttp|httpx|curl|wget|go-http-client|java|libwww|ruby|faraday|php|guzzle|postman|insomnia|httpie|axios|scrapy|apache-httpclient)\b/i

/** A web view of a phone names its system. */
const desktopBrowser = /^Mozilla\/5\.0 \((Windows|Macintosh|X11)/

/** Whether no phone sends this: the library of a script, or a browser of a desktop. */
export const isUserAgentOfScript = (userAgent: string): boolean =>
  scriptBeginning.test(userAgent) || desktopBrowser.test(userAgent) || /HeadlessChrome/.test(userAgent)
