// Which fonts stand behind the generic names?

import { textWidth } from '../collect/text-width.ts'

const families = ['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'system-ui', 'math', 'emoji']

/** Widths of one text, in pixels, in the order above. */
export function fontWidths(): number[] | undefined {
  const width = textWidth()
  return width && families.map(width)
}
