// How large is the window, how large is the page in it, and where is it on the screen?

export function windowGeometry() {
  const { innerWidth, innerHeight, outerWidth, outerHeight, screenX, screenY } = window
  const rounded = Object.entries({ innerWidth, innerHeight, outerWidth, outerHeight, screenX, screenY })
  return {
    ...(Object.fromEntries(rounded.map(([name, value]) => [name, Math.round(value)])) as Record<
      'innerWidth' | 'innerHeight' | 'outerWidth' | 'outerHeight' | 'screenX' | 'screenY',
      number
    >),
    isTop: window.top === window,
  }
}
