// How does the device format dates and numbers?

/** Intl's default locale, calendar, digits and hour cycle (12 or 24 hours). */
export function locale(): string {
  const { locale, calendar, numberingSystem, hourCycle } = new Intl.DateTimeFormat(undefined, {
    hour: 'numeric',
  }).resolvedOptions()
  return [locale, calendar, numberingSystem, hourCycle].join(' ')
}
