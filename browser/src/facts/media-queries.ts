// What do media queries show about display, input and preferences?

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
