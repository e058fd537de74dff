// Which graphics hardware does this device have? Names, limits, extensions and a test image.

import { hash, hashOf } from '../collect/hash.ts'
import { surface } from '../collect/surface.ts'
import { turns } from '../collect/turns.ts'

const size = 32

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
