// Which fonts does the page bring itself? They say nothing about the device. A worker has none.

/** Names of the page's web fonts, in lower case, whether they are loaded or not. */
export function webFonts(): ReadonlySet<string> {
  const names = new Set<string>()
  if (typeof document !== 'undefined')
    document.fonts?.forEach(({ family }) => {
      names.add(family.replace(/["']/g, '').toLowerCase())
    })
  return names
}

/** Whether the device has a font, whatever the page loads. It causes no request. */
export const isInstalled = (font: string): Promise<boolean> =>
  new FontFace('local', `local("${font}"),local("${font} Regular")`).load().then(
    () => true,
    () => false,
  )
