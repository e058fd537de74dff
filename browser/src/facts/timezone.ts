// Which time zone is the device set to?

interface WithTemporal {
  Temporal?: { Now: { timeZoneId(): string } }
}

/**
 * Temporal answers at once. Intl first loads language data, which blocks the page for tens of
 * milliseconds.
 */
export const timezone = (): string =>
  (globalThis as WithTemporal).Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
