// Who looks into the page: developer tools, or a program over the debugging protocol?

import type { WebFacts } from '@ringfence/contract'

/**
 * Both have the stacks of errors written out. Developer tools also follow asynchronous calls, which makes awaits some fifty times
 * slower: 15 to 100 times the yardstick with them, under 2 without (Chromium 156).
 */
const slowAwaits = 5

/** `undefined` where nobody looks, or it cannot be told. */
export function inspectorOf({ inspection, windowGeometry }: WebFacts): 'developer tools' | 'program' | undefined {
  if (!inspection?.stacksWritten) return undefined
  return (inspection.awaitRatio ?? 0) >= slowAwaits || hasDockedPanel(windowGeometry) ? 'developer tools' : 'program'
}

/** Beside tool bars, which are at most some 200 pixels high, and a side bar, which stands on the left of the page and is narrow. */
function hasDockedPanel(geometry: WebFacts['windowGeometry']): boolean {
  const { innerWidth = 0, innerHeight = 0, outerWidth = 0, outerHeight = 0, isTop } = geometry ?? {}
  return isTop === true && innerWidth > 0 && (outerWidth - innerWidth > 300 || outerHeight - innerHeight > 350)
}
