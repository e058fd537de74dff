// How fast is the network connection? Chromium only.

export const connection = () => (navigator as { connection?: { effectiveType?: string } }).connection?.effectiveType
