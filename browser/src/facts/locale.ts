// How does the device write dates and numbers?

/** Locale, calendar and digits that Intl takes by itself, and whether the clock has 12 or 24 hours. */
export function locale(): string {
  const { locale, calendar, numberingSystem, hourCycle } = new Intl.DateTimeFormat(undefined, {
    hour: 'numeric',
  }).resolvedOptions()
  return [locale, calendar, numberingSystem, hourCycle].join(' ')
}
