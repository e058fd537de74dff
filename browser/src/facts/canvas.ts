// How does this device draw? The pixels depend on rasteriser, fonts and emoji.

import { hash } from '../collect/hash.ts'
import { surface } from '../collect/surface.ts'
import { turns } from '../collect/turns.ts'

type Context = OffscreenCanvasRenderingContext2D

export async function canvas() {
  const turn = turns()
  const plain = surface(16, 16, '2d')
  if (!plain) return undefined
  const isExact = areColoursExact(plain)
  const geometry = drawn(130, 110, shapes)
  await turn()
  const text = drawn(240, 60, words)
  await turn()
  return { geometry, text, isStable: geometry === drawn(130, 110, shapes), isExact }
}

function drawn(width: number, height: number, draw: (context: Context) => void): string {
  const context = surface(width, height, '2d') as Context
  draw(context)
  return hash(context.getImageData(0, 0, width, height).data)
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

/** Browsers that protect against fingerprinting change the colours that a canvas returns. */
function areColoursExact(context: Context): boolean {
  context.fillStyle = '#4080c0'
  context.fillRect(0, 0, 16, 16)
  return context.getImageData(0, 0, 16, 16).data.every((value, index) => value === [64, 128, 192, 255][index % 4])
}
