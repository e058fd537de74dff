// How large is the screen, and which part of it can windows use?

/** Rounded, because page zoom causes fractions in some browsers. */
export function screen() {
  const { width, height, availWidth, availHeight, colorDepth } = window.screen
  const { availLeft = 0, availTop = 0 } = window.screen as { availLeft?: number; availTop?: number }
  return {
    width: Math.round(width),
    height: Math.round(height),
    availWidth: Math.round(availWidth),
    availHeight: Math.round(availHeight),
    availLeft: Math.round(availLeft),
    availTop: Math.round(availTop),
    colorDepth,
  }
}
