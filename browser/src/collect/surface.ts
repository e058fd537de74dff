// Where does a fact draw? On a canvas that is not in the page; works in a worker too.

type Surface = OffscreenCanvas | HTMLCanvasElement

/**
 * A context of the first canvas that supports it: Safari 16 supports OffscreenCanvas for 2D, but
 * not for WebGL.
 */
export function surface(width: number, height: number, kind: '2d'): OffscreenCanvasRenderingContext2D | undefined
export function surface(width: number, height: number, kind: 'webgl'): WebGLRenderingContext | undefined
export function surface(width: number, height: number, kind: '2d' | 'webgl'): unknown {
  for (const canvas of canvases(width, height)) {
    const context = (canvas as OffscreenCanvas).getContext(kind as '2d', { willReadFrequently: true })
    if (context) return context
  }
  return undefined
}

function* canvases(width: number, height: number): Generator<Surface> {
  if (typeof OffscreenCanvas !== 'undefined') yield new OffscreenCanvas(width, height)
  if (typeof document !== 'undefined') yield Object.assign(document.createElement('canvas'), { width, height })
}
