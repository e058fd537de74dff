// In which time zone is the device set to be?

interface WithTemporal {
  Temporal?: { Now: { timeZoneId(): string } }
}

/** Temporal knows it at once; Intl loads the rules of a language first, which keeps a page busy for tens of milliseconds. */
export const timezone = (): string =>
  (globalThis as WithTemporal).Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
