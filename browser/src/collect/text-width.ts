// How wide is a text in a font?

import { surface } from './surface.ts'

const text = 'mmMwWLliI0fiflO&1'

/** Answers widths, in pixels, of one text in fonts named as CSS names them; measured without any page. */
export function textWidth(): ((fontFamily: string) => number) | undefined {
  const context = surface(1, 1, '2d')
  if (!context) return undefined
  return (fontFamily) => {
    context.font = `48px ${fontFamily}`
    return context.measureText(text).width
  }
}
