// How much memory does the device have? In GiB, rounded and capped by the browser. Chromium only.

export const deviceMemory = () => (navigator as { deviceMemory?: number }).deviceMemory
