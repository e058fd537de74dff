// Which keyboard layout is in use? Chromium only.

interface Keyboard {
  getLayoutMap(): Promise<Iterable<[string, string]>>
}

/** The characters of the keys that differ most between layouts, in a fixed order. */
export async function keyboard(): Promise<string | undefined> {
  const map = await (navigator as { keyboard?: Keyboard }).keyboard?.getLayoutMap()
  if (!map) return undefined
  const printed = new Map(map)
  return ['Backquote', 'KeyQ', 'KeyA', 'KeyZ', 'KeyY', 'Semicolon', 'Quote', 'Minus', 'BracketLeft', 'IntlBackslash']
    .map((key) => printed.get(key) ?? '')
    .join(' ')
}
