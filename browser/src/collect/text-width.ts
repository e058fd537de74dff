// How wide is a fixed text in a font?

import { surface } from './surface.ts'

const text = 'mmMwWLliI0fiflO&1'

/** Returns a function that measures the text, in pixels, in a CSS font family. It needs no page. */
export function textWidth(): ((fontFamily: string) => number) | undefined {
  const context = surface(1, 1, '2d')
  if (!context) return undefined
  return (fontFamily) => {
    context.font = `48px ${fontFamily}`
    return context.measureText(text).width
  }
}
