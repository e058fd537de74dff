// Does the page's canvas return the painted colours? Scripts that add noise change only the page.

import { areColoursExact, exactColoursSize } from '../collect/exact-colours.ts'

export function pageCanvasExact(): boolean | undefined {
  const size = { width: exactColoursSize, height: exactColoursSize }
  const canvas = Object.assign(document.createElement('canvas'), size)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return context ? areColoursExact(context) : undefined
}
