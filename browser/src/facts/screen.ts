// How large are screen and window, and what does the display support?
// Sizes are in CSS pixels, so page zoom and display scaling change them, and a window that moves to another screen changes all.
// Firefox with resistFingerprinting reports the window as the screen. A window in the background may have no outer size.

/** Screen pixels in one CSS pixel. */
export const devicePixelRatio = () => window.devicePixelRatio

/** The screen, and the part that windows can use. Rounded, because page zoom causes fractions in some browsers. */
export function screen() {
  const { width, height, availWidth, availHeight, colorDepth } = window.screen
  const { availLeft = 0, availTop = 0 } = window.screen as { availLeft?: number; availTop?: number }
  return {
    width: Math.round(width),
    height: Math.round(height),
    availWidth: Math.round(availWidth),
    availHeight: Math.round(availHeight),
    availLeft: Math.round(availLeft),
    availTop: Math.round(availTop),
    colorDepth,
  }
}

const sizes = ['innerWidth', 'innerHeight', 'outerWidth', 'outerHeight', 'screenX', 'screenY'] as const

/** A page that is not shown by then has no window to measure. */
const shownWithinMs = 300

/**
 * The window, the page in it, and its place on the screen. A page that opens in the background is read when it is shown: not
 * before its first frame, because Chromium measures its window after it has said that the page is visible.
 */
export async function windowGeometry() {
  const { hidden } = document
  if (!window.outerWidth)
    await new Promise((resolve) => {
      requestAnimationFrame(resolve)
      setTimeout(resolve, shownWithinMs)
    })
  const names = hidden && !window.outerWidth ? sizes.slice(0, 2) : sizes
  return {
    ...(Object.fromEntries(names.map((name) => [name, Math.round(window[name])])) as Partial<
      Record<(typeof sizes)[number], number>
    >),
    isTop: window.top === window,
  }
}

const features: Readonly<Record<string, string>> = {
  'any-hover': 'hover none',
  'any-pointer': 'fine coarse none',
  'color-gamut': 'rec2020 p3 srgb',
  'display-mode': 'fullscreen standalone minimal-ui browser',
  'dynamic-range': 'high standard',
  'forced-colors': 'active none',
  hover: 'hover none',
  'inverted-colors': 'inverted none',
  pointer: 'fine coarse none',
  'prefers-color-scheme': 'dark light',
  'prefers-contrast': 'more less custom no-preference',
  'prefers-reduced-data': 'reduce no-preference',
  'prefers-reduced-motion': 'reduce no-preference',
  'prefers-reduced-transparency': 'reduce no-preference',
  'video-dynamic-range': 'high standard',
}

/**
 * The first matching value of each feature; features that the browser does not know are left out.
 */
export function mediaQueries(): Record<string, string> {
  const matching: Record<string, string> = {}
  for (const [feature, values] of Object.entries(features)) {
    const match = values.split(' ').find((value) => matchMedia(`(${feature}: ${value})`).matches)
    if (match) matching[feature] = match
  }
  return matching
}
