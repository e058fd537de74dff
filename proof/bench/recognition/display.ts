// Which screen and window does a device show? Task bars and Docks, second screens, zoom, and where the window is.

import type { WebFacts } from '@ringfence/contract'
import type { Drawn, Kind } from './generator.ts'
import type { Random } from './random.ts'

type Size = readonly [width: number, height: number]

export const otherScreens: readonly Size[] = [
  [1920, 1080],
  [2560, 1440],
  [1366, 768],
  [1680, 1050],
  [3840, 2160],
  [1280, 720],
  [1600, 900],
]

/** Share of desktops with a size of their own: display scaling, virtual machines, remote desktops (Berke 2025: 4.5 % unique). */
const oddScreens = 0.055

export function desktopScreen({ screen: { width, height } }: Drawn, variants: Random): Size {
  if (!variants.chance(oddScreens)) return [width, height]
  const scale = 0.55 + variants.below(120) / 100
  return [Math.round(width * scale), Math.round(height * scale) - variants.below(3)]
}

/** What task bar, menu bar and Dock take from a screen, in CSS pixels; the origin of a second screen does not count. */
export function frameOf({ screen: { width, height, availWidth, availHeight, availLeft, availTop } }: Drawn) {
  const [left, top] = [availLeft, availTop].map((edge) => (edge >= 0 && edge < 200 ? edge : 0)) as [number, number]
  return { left, top, sides: Math.max(0, width - availWidth), bottom: Math.max(0, height - availHeight - top) }
}
export type Frame = ReturnType<typeof frameOf>

interface Shown {
  screen: Size
  first: Size
  isSecond: boolean
  frame: Frame
  machine: Drawn
  kind: Kind
  displaySize: number
  zoom: number
  shrunk: number
}

export function visibleScreen({ screen, first, isSecond, frame, machine, kind, displaySize, zoom, shrunk }: Shown) {
  const isPhone = kind === 'androidChrome' || kind === 'iphone'
  const [width, height] = screen
  const pixelRatio = machine.pixelRatio * displaySize * zoom
  const ofZoom = kind.endsWith('Firefox') && zoom !== 1 ? 1 / zoom : 1 / displaySize
  return {
    screen: {
      width: Math.round(width * ofZoom),
      height: Math.round(height * ofZoom),
      availWidth: Math.round(width / displaySize) - (isPhone ? 0 : frame.sides),
      availHeight: Math.round(height / displaySize) - (isPhone ? 0 : frame.top + frame.bottom - shrunk),
      availLeft: isSecond ? first[0] : isPhone ? 0 : frame.left,
      availTop: isPhone ? 0 : frame.top,
      colorDepth: machine.screen.colorDepth ?? 24,
    },
    devicePixelRatio: pixelRatio,
  }
}

/**
 * The window of a browser: half of the desktops have it maximised, the others keep its place until somebody moves it, on average
 * after two days (our estimates).
 */
export function makeWindow(random: Random) {
  const isMaximised = random.chance(0.5)
  const placed = () => ({
    x: random.below(400),
    y: random.below(150),
    width: 0.5 + random.below(45) / 100,
    height: 0.6 + random.below(40) / 100,
  })
  let place = placed()
  return {
    age(days: number) {
      if (random.chance(1 - Math.exp(-days / 2))) place = placed()
    },
    on(
      screen: NonNullable<WebFacts['screen']>,
      isPhone: boolean,
      visit: Random,
    ): NonNullable<WebFacts['windowGeometry']> {
      const { availWidth = 0, availHeight = 0, availLeft = 0, availTop = 0 } = screen
      const bar = isPhone ? 56 : 85 + (visit.chance(0.1) ? 34 : 0)
      if (isPhone || isMaximised || visit.chance(0.1)) {
        const [outerWidth, outerHeight, screenX, screenY] = [availWidth, availHeight, availLeft, availTop]
        return {
          innerWidth: outerWidth,
          innerHeight: outerHeight - bar,
          outerWidth,
          outerHeight,
          screenX,
          screenY,
          isTop: true,
        }
      }
      const outerWidth = Math.round(availWidth * place.width)
      const outerHeight = Math.round(availHeight * place.height)
      const [screenX, screenY] = [availLeft + place.x, availTop + place.y]
      return {
        innerWidth: outerWidth,
        innerHeight: outerHeight - bar,
        outerWidth,
        outerHeight,
        screenX,
        screenY,
        isTop: true,
      }
    },
  }
}
