// In which language are numbers and dates written? That of the browser. Words are those of texts.ts.

/** Of numbers and dates. */
export const locale: string = globalThis.navigator?.language ?? 'en'

/** Of words that belong to a sentence, such as the names of countries and times that have passed. */
export const language = 'en'
