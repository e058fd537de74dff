// How does the admin API write a time? As ISO 8601 in UTC.

export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString()

/** The member, if there is a time. */
export const timeMember = <Name extends string>(name: Name, epochMs: number | null | undefined) =>
  (epochMs === null || epochMs === undefined ? {} : { [name]: isoTime(epochMs) }) as { [N in Name]?: string }
