// In which language are numbers and dates written? That of the browser. Words are those of texts.ts.

/** Of words that belong to a sentence, such as the names of countries and times that have passed. */
export const language = 'en'

/** As a browser names its language; one that is no BCP 47 tag, such as `en-US@posix` or none, is that of the words. */
export function localeOf(named: string | undefined): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(named || language)[0] ?? language
  } catch {
    return language
  }
}

/** Of numbers and dates. */
export const locale: string = localeOf(globalThis.navigator?.language)
