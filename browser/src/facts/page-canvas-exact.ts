// Does the page's canvas return the painted colours? Scripts that add noise change only the page.

const size = 16

/** Paints many colours, because noise may change only a few of them. */
export function pageCanvasExact(): boolean | undefined {
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return undefined
  const painted = Array.from({ length: size * size }, (_, index) => [index, (index * 7) % 256, (index * 13) % 256])
  for (const [index, colour] of painted.entries()) {
    context.fillStyle = `rgb(${colour})`
    context.fillRect(index % size, Math.floor(index / size), 1, 1)
  }
  const { data } = context.getImageData(0, 0, size, size)
  return painted.every((colour, index) => [...colour, 255].every((value, part) => data[index * 4 + part] === value))
}
