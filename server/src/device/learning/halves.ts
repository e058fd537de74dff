// Which devices teach, and which judge? A device is in one half for ever, so nothing is judged on what it taught.

export type Half = 'learned' | 'judged'

/** Ids of devices are random. */
export const halfOf = (deviceId: Uint8Array): Half => (deviceId.at(-1)! % 2 === 0 ? 'learned' : 'judged')
