// Which fonts stand behind the generic names?

import { textWidth } from '../collect/text-width.ts'

/** Without `emoji`, which Firefox takes for another font in a worker than beside a page. */
const families = ['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'system-ui', 'math']

/** Widths of one text, in pixels, in the order above. */
export function fontWidths(): number[] | undefined {
  const width = textWidth()
  return width && families.map(width)
}
