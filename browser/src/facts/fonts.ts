// Which fonts are installed? They show the system, its languages and programs.
// A page measures text, because no browser lists its fonts. Safari and Tor Browser use the fonts of the system only, and
// Brave hides some, so a missing font proves little. Web fonts of the page have widths too and must not count.

import { surface } from '../collect/surface.ts'
import { turns } from '../collect/turns.ts'

const candidates =
  'Academy Engraved LET|Agency FB|Al Bayan|Aldhabi|Amiri|Arial Hebrew|Arial Unicode MS|Avenir Next|Bahnschrift|Bitstream Vera Sans Mono|' +
  'Book Antiqua|Bookshelf Symbol 7|Calibri|Cambria Math|Cantarell|Century|Century Gothic|Chakra Petch|Chalkboard|Comic Sans MS|Consolas|' +
  'DejaVu Sans|Droid Sans|Ebrima|Fira Code|Franklin Gothic|Futura|Gadugi|Galvji|Garamond|Geeza Pro|Gill Sans|Haettenschweiler|Helvetica Neue|' +
  'Hiragino Sans|HoloLens MDL2 Assets|Humanst521 BT|InaiMathi Bold|Ink Free|Javanese Text|Kohinoor Devanagari|Leelawadee|Leelawadee UI|' +
  'Liberation Sans|Lohit Devanagari|Lucida Console|Luminari|MS Outlook|MS Reference Specialty|MS UI Gothic|MT Extra|MYRIAD PRO|Malgun Gothic|Marlett|' +
  'Menlo|Microsoft JhengHei|Microsoft Uighur|Minion Pro|Monotype Corsiva|MuktaMahee Regular|Nirmala UI|Noto Color Emoji|Noto Sans CJK SC|' +
  'Noto Serif|Open Sans|PMingLiU|PT Sans|Palatino|PingFang SC|Pristina|Roboto|SCRIPTINA|STIX Two Math|Segoe Fluent Icons|Segoe UI Emoji|' +
  'Segoe UI Light|Segoe UI Variable|SimHei|Sitka|Small Fonts|Source Code Pro|Staccato222 BT|TRAJAN PRO|Tahoma|Ubuntu|Univers CE 55 Medium|Vrinda|ZWAdobeF'

const generic = ['monospace', 'serif'] as const

/**
 * A font is installed where its text has another width than the fallback font. Each check makes the
 * system search.
 */
export async function fonts(): Promise<string[] | undefined> {
  const width = textWidth()
  if (!width) return undefined
  const fallbacks = generic.map((family) => [family, width(family)] as const)
  const hasOwnWidth = (font: string) =>
    fallbacks.some(([family, fallback]) => width(`"${font}", ${family}`) !== fallback)
  const ofPage = webFonts()
  const installed: string[] = []
  const turn = turns()
  for (const font of candidates.split('|')) {
    await turn()
    if (ofPage.has(font.toLowerCase()) ? await isInstalled(font) : hasOwnWidth(font)) installed.push(font)
  }
  return installed
}

/** Names of the page's web fonts, in lower case, whether they are loaded or not. A worker has none. */
function webFonts(): ReadonlySet<string> {
  const names = new Set<string>()
  if (typeof document !== 'undefined')
    document.fonts?.forEach(({ family }) => {
      names.add(family.replace(/["']/g, '').toLowerCase())
    })
  return names
}

/** Whether the device has a font, whatever the page loads. It causes no request. */
const isInstalled = (font: string): Promise<boolean> =>
  new FontFace('local', `local("${font}"),local("${font} Regular")`).load().then(
    () => true,
    () => false,
  )

/** Without `emoji`: Firefox uses another emoji font in a worker than in the page. */
const families = ['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'system-ui', 'math']

/** Widths of one text, in pixels, in the order of `families`. */
export function fontWidths(): number[] | undefined {
  const width = textWidth()
  return width && families.map(width)
}

const text = 'mmMwWLliI0fiflO&1'

/** Returns a function that measures the text, in pixels, in a CSS font family. It needs no page. */
function textWidth(): ((fontFamily: string) => number) | undefined {
  const context = surface(1, 1, '2d')
  if (!context) return undefined
  return (fontFamily) => {
    context.font = `48px ${fontFamily}`
    return context.measureText(text).width
  }
}

/** The font of text without a font family, which is the person's own setting: `all: initial` keeps the page's styles out. */
export function fontFamily(): string | undefined {
  const element = document.createElement('span')
  element.style.cssText = 'all:initial;display:none'
  document.documentElement.append(element)
  try {
    return getComputedStyle(element).fontFamily || undefined
  } finally {
    element.remove()
  }
}
