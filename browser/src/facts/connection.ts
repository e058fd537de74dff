// How fast is the connection? Chromium only.

export const connection = () => (navigator as { connection?: { effectiveType?: string } }).connection?.effectiveType
