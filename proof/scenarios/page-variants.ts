// What differs in the page of some visits? Web fonts whose names the SDK looks for, and canvases with noise.

import type { Plugin } from 'esbuild'

/** Names of the SDK's font list (browser/src/facts/fonts.ts) that popular pages load. */
export const webFonts = ['Fira Code', 'Open Sans', 'PT Sans', 'Roboto', 'Source Code Pro', 'Ubuntu'] as const

/** Any font: only its widths count. It comes with the browsers (Debian's fonts-dejavu-core). */
export const fontFile = '/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf'
export const fontFaces = webFonts.map((name) => `@font-face { font-family: '${name}'; src: url('/font') }`).join('\n')

/**
 * The browser itself adds the noise, so no function of the page is altered: the SDK's canvases get it below their interface. A page
 * and its worker have noise of their own, since each loads the module.
 */
export const canvasNoise: Plugin = {
  name: 'canvas noise',
  setup(build) {
    build.onLoad({ filter: /facts\/drawing\.ts$/ }, async ({ path }) => {
      const { readFile } = await import('node:fs/promises')
      const text = await readFile(path, 'utf8')
      const noisy = text.replaceAll(/(\w+\.getImageData\([^)]*\)\.data)/g, 'noisyPixels($1)')
      if (noisy === text) throw new Error(`${path} reads no canvas`)
      return { contents: `${noisy}\n${noise}`, loader: 'ts' }
    })
  },
}

/** One colour of a few pixels differs by one, the same for the whole load. */
const noise = `
const seed = 1 + Math.floor(Math.random() * 1e6)
function noisyPixels(data: Uint8ClampedArray): Uint8ClampedArray {
  for (let index = seed % 89; index < data.length; index += 89 + (seed % 7)) data[index] = data[index]! ^ 1
  return data
}
`
