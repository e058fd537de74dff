// Who inspects the page: developer tools, or a program over the debugging protocol?

import type { WebFacts } from '@ringfence/contract'

/**
 * Both make the browser write out the stacks of errors. Developer tools also follow asynchronous calls, which makes awaits 15 to
 * 100 times slower; without them the ratio stays below 2 (Chromium 156).
 */
const slowAwaits = 5

/** `undefined` without an inspector, and when it cannot be detected. */
export function inspectorOf({ inspection, windowGeometry }: WebFacts): 'developer tools' | 'program' | undefined {
  if (!inspection?.stacksWritten) return undefined
  return (inspection.awaitRatio ?? 0) >= slowAwaits || hasDockedPanel(windowGeometry) ? 'developer tools' : 'program'
}

/** Larger than tool bars, which are about 200 pixels high at most, and than a side bar, which is narrow. */
function hasDockedPanel(geometry: WebFacts['windowGeometry']): boolean {
  const { innerWidth = 0, innerHeight = 0, outerWidth = 0, outerHeight = 0, isTop } = geometry ?? {}
  return isTop === true && innerWidth > 0 && (outerWidth - innerWidth > 300 || outerHeight - innerHeight > 350)
}
