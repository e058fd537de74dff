// When is an RFC 3339 date-time? Also one that JavaScript does not read, which the format of the schemas accepts.

/**
 * Epoch milliseconds of a text that has the JSON schema format `date-time`. `Date` knows neither leap seconds, for which this takes the
 * second before, nor the suffix of RFC 9557, such as `[Asia/Kolkata]`, which does not change the time.
 */
export const dateTimeMs = (text: string): number => Date.parse(text.replace(/\[.*/, '').replace(/:60(?=\D)/, ':59'))
