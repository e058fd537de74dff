// Which of these fonts are installed? They show the system, its languages and programs.

import { textWidth } from '../collect/text-width.ts'
import { turns } from '../collect/turns.ts'
import { isInstalled, webFonts } from '../collect/web-fonts.ts'

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
