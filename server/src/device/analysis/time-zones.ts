// What is the offset of a time zone from UTC?

/** Minutes east of UTC at a time (epoch milliseconds); `undefined` for an unknown zone. */
export function utcOffsetMinutes(zone: string, time: number): number | undefined {
  try {
    return typeof Temporal === 'undefined' ? offsetByIntl(zone, time) : offsetByTemporal(zone, time)
  } catch {
    return undefined // unknown zone
  }
}

const offsetByTemporal = (zone: string, time: number) =>
  Math.trunc(Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9)

/** For Node 24, which has no Temporal; it takes 100 times as long. */
function offsetByIntl(zone: string, time: number): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const text = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(text) ?? []
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}
