// How does this device draw? The pixels depend on rasteriser, graphics driver, fonts and emoji.
// Brave, Safari and Firefox can add noise to what a page reads back, per site and session, so pixels are reported with a
// sign whether they are stable and exact. Privacy extensions change the page's canvas but often not a worker's. Firefox
// and Safari group graphics hardware into classes. After a driver crash, or with WebGL disabled, there is no context.

import { hash, hashOf } from '../collect/hash.ts'
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

/** Whether the page's canvas returns the painted colours. Scripts that add noise change only the page. */
export function pageCanvasExact(): boolean | undefined {
  const size = { width: exactColoursSize, height: exactColoursSize }
  const canvas = Object.assign(document.createElement('canvas'), size)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return context ? areColoursExact(context) : undefined
}

const cells = 16
const cellSize = 4

/** The side of the square canvas that `areColoursExact` paints. */
const exactColoursSize = cells * cellSize

/** Paints many colours over many pixels, because noise may change only a few, or none in plain areas. */
function areColoursExact(context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D): boolean {
  const painted = Array.from({ length: cells * cells }, (_, index) => [
    index,
    (index * 7) % 256,
    (index * 13) % 256,
    255,
  ])
  for (const [index, [red, green, blue]] of painted.entries()) {
    context.fillStyle = `rgb(${[red, green, blue]})`
    context.fillRect((index % cells) * cellSize, Math.floor(index / cells) * cellSize, cellSize, cellSize)
  }
  const { data } = context.getImageData(0, 0, exactColoursSize, exactColoursSize)
  return data.every((value, place) => {
    const column = Math.floor(place / 4) % exactColoursSize
    const row = Math.floor(place / 4 / exactColoursSize)
    return painted[Math.floor(row / cellSize) * cells + Math.floor(column / cellSize)]?.[place % 4] === value
  })
}

const size = 32

/** Names, limits, extensions and a test image of the graphics hardware. */
export async function webgl() {
  const turn = turns()
  const gl = surface(size, size, 'webgl')
  if (!gl) return undefined
  try {
    await turn()
    const parameters = hashOf([limits(gl), precisions(gl)])
    await turn()
    const drawn = image(gl)
    return {
      ...names(gl),
      parameters,
      extensions: hashOf(gl.getSupportedExtensions()),
      ...(drawn && { image: drawn }),
    }
  } finally {
    gl.getExtension('WEBGL_lose_context')?.loseContext() // browsers allow about sixteen contexts per page
  }
}

/**
 * Firefox reports the real renderer without the extension, and logs a warning when the extension is
 * used.
 */
function names(gl: WebGLRenderingContext): { vendor: string; renderer: string } {
  const masked = { vendor: gl.getParameter(gl.VENDOR), renderer: gl.getParameter(gl.RENDERER) }
  const unmasking = /^(WebKit|Mozilla)/.test(masked.renderer) && gl.getExtension('WEBGL_debug_renderer_info')
  if (!unmasking) return masked
  return {
    vendor: gl.getParameter(unmasking.UNMASKED_VENDOR_WEBGL),
    renderer: gl.getParameter(unmasking.UNMASKED_RENDERER_WEBGL),
  }
}

function limits(gl: WebGLRenderingContext): unknown[] {
  const names = [
    'ALIASED_LINE_WIDTH_RANGE',
    'ALIASED_POINT_SIZE_RANGE',
    'MAX_COMBINED_TEXTURE_IMAGE_UNITS',
    'MAX_CUBE_MAP_TEXTURE_SIZE',
    'MAX_FRAGMENT_UNIFORM_VECTORS',
    'MAX_RENDERBUFFER_SIZE',
    'MAX_TEXTURE_IMAGE_UNITS',
    'MAX_TEXTURE_SIZE',
    'MAX_VARYING_VECTORS',
    'MAX_VERTEX_ATTRIBS',
    'MAX_VERTEX_TEXTURE_IMAGE_UNITS',
    'MAX_VERTEX_UNIFORM_VECTORS',
    'MAX_VIEWPORT_DIMS',
    'SUBPIXEL_BITS',
  ] as const
  return names.map((name) => {
    const value: unknown = gl.getParameter(gl[name])
    return ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value
  })
}

function precisions(gl: WebGLRenderingContext): unknown[] {
  return [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].flatMap((shader) =>
    [gl.LOW_FLOAT, gl.MEDIUM_FLOAT, gl.HIGH_FLOAT, gl.HIGH_INT].map((type) => {
      const { rangeMin, rangeMax, precision } = gl.getShaderPrecisionFormat(shader, type) ?? {}
      return [rangeMin, rangeMax, precision]
    }),
  )
}

function image(gl: WebGLRenderingContext): string | undefined {
  const program = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, 'attribute vec2 a;varying vec2 v;void main(){v=a;gl_Position=vec4(a,0,1);}'],
    [
      gl.FRAGMENT_SHADER,
      'precision mediump float;varying vec2 v;void main(){gl_FragColor=vec4(sin(v.x*9.1),fract(v.y*7.3),pow(abs(v.x*v.y),.4),1);}',
    ],
  ] as const) {
    const shader = gl.createShader(type)
    if (!shader) return undefined
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return undefined
  // biome-ignore lint/correctness/useHookAtTopLevel: not a React hook
  gl.useProgram(program)
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-0.9, -0.7, 0.8, -0.95, 0.1, 0.9]), gl.STATIC_DRAW)
  const position = gl.getAttribLocation(program, 'a')
  gl.enableVertexAttribArray(position)
  gl.vertexAttribPointer(position, 2, gl.FLOAT, false, 0, 0)
  gl.drawArrays(gl.TRIANGLES, 0, 3)
  const pixels = new Uint8Array(size * size * 4)
  gl.readPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
  return hash(pixels)
}
