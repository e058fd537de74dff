// Where can be drawn? On a canvas that no page shows, in a worker as well as beside a page.

type Surface = OffscreenCanvas | HTMLCanvasElement

/** A context of the first kind of canvas that has one: Safari 16 draws 2D off screen, and WebGL on elements only. */
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
