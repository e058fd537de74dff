// How does this device draw? The pixels depend on rasteriser, fonts and emoji.

import { areColoursExact, exactColoursSize } from '../collect/exact-colours.ts'
import { hash } from '../collect/hash.ts'
import { surface } from '../collect/surface.ts'
import { turns } from '../collect/turns.ts'

type Context = OffscreenCanvasRenderingContext2D

/**
 * `isStable` compares two drawings, and a drawing with its own copy beside it: noise differs from
 * canvas to canvas, or from place to place. It cannot show noise that depends on the picture alone.
 */
export async function canvas() {
  const turn = turns()
  const plain = surface(exactColoursSize, exactColoursSize, '2d')
  if (!plain) return undefined
  const isExact = areColoursExact(plain)
  await turn()
  const [geometry, again] = [drawn(130, 110, shapes), drawn(130, 110, shapes)]
  await turn()
  const text = drawn(240, 60, words)
  const all = [...geometry, ...again]
  const isStable = all.every((hash) => hash === geometry[0]) && text[0] === text[1]
  return { geometry: geometry[0], text: text[0], isStable, isExact }
}

/** The hashes of a drawing and of its copy, pixel by pixel, to its right. */
function drawn(width: number, height: number, draw: (context: Context) => void): [string, string] {
  const context = surface(width * 2, height, '2d') as Context
  draw(context)
  context.globalCompositeOperation = 'source-over'
  context.clearRect(width, 0, width, height)
  context.drawImage(context.canvas, 0, 0, width, height, width, 0, width, height)
  const hashAt = (x: number) => hash(context.getImageData(x, 0, width, height).data)
  return [hashAt(0), hashAt(width)]
}

/** Overlapping discs in multiplied colours, and a ring with the even-odd fill rule. */
function shapes(context: Context): void {
  context.globalCompositeOperation = 'multiply'
  for (const [x, y, colour] of [
    [40, 40, '#f2f'],
    [80, 40, '#2ff'],
    [60, 75, '#ff2'],
  ] as const) {
    context.fillStyle = colour
    disc(context, x, y, 33)
    context.fill()
  }
  context.fillStyle = '#936'
  context.beginPath()
  for (const radius of [51.3, 17.1]) context.arc(60, 55, radius, 0, Math.PI * 2)
  context.fill('evenodd')
  const shade = context.createLinearGradient(0, 0, 130, 110)
  shade.addColorStop(0, '#e84')
  shade.addColorStop(1, '#26c')
  context.strokeStyle = shade
  context.lineWidth = 2.7
  context.beginPath()
  context.moveTo(3, 107)
  context.bezierCurveTo(40.5, 11, 90.3, 140, 127, 4)
  context.stroke()
}

function disc(context: Context, x: number, y: number, radius: number): void {
  context.beginPath()
  context.arc(x, y, radius, 0, Math.PI * 2)
}

/** Text with kerning and ligatures in two overlapping fonts, and emoji. */
function words(context: Context): void {
  context.textBaseline = 'alphabetic'
  context.fillStyle = '#e62'
  context.fillRect(120, 2, 62, 22)
  context.fillStyle = '#069'
  context.font = '11pt "no such font"'
  context.fillText('Waffle fjord, glyph 🐓 \ud83d\ude03', 2, 17)
  context.fillStyle = 'rgba(102, 204, 0, .7)'
  context.font = '18pt Arial'
  context.fillText('Quartz AVo ½ 你好', 4, 45)
}
