// Which fonts do the generic font families use?

import { textWidth } from '../collect/text-width.ts'

/** Without `emoji`: Firefox uses another emoji font in a worker than in the page. */
const families = ['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'system-ui', 'math']

/** Widths of one text, in pixels, in the order of `families`. */
export function fontWidths(): number[] | undefined {
  const width = textWidth()
  return width && families.map(width)
}
