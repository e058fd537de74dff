// Does a canvas return the colours that were painted? Browsers and scripts that add noise change some of them.

const cells = 16
const cellSize = 4

/** The side of the square canvas that `areColoursExact` paints. */
export const exactColoursSize = cells * cellSize

/** Paints many colours over many pixels, because noise may change only a few, or none in plain areas. */
export function areColoursExact(context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D): boolean {
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
