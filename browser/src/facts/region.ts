// Which languages, formats and time zone is the device set to?
// They follow the settings, not the place: travellers keep their zone, and a VPN changes none of this. Tor Browser and
// Firefox with resistFingerprinting report English and UTC. The offset changes with daylight saving time.

export const language = () => navigator.language

/** Best first. Safari reports only the first. */
export const languages = () => [...navigator.languages]

/** Intl's default locale, calendar, digits and hour cycle (12 or 24 hours). */
export function locale(): string {
  const { locale, calendar, numberingSystem, hourCycle } = new Intl.DateTimeFormat(undefined, {
    hour: 'numeric',
  }).resolvedOptions()
  return [locale, calendar, numberingSystem, hourCycle].join(' ')
}

interface WithTemporal {
  Temporal?: { Now: { timeZoneId(): string } }
}

/**
 * Temporal answers at once. Intl first loads language data, which blocks the page for tens of
 * milliseconds.
 */
export const timezone = (): string =>
  (globalThis as WithTemporal).Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Minutes behind UTC. */
export const timezoneOffset = () => new Date().getTimezoneOffset()
