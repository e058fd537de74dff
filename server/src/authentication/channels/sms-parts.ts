// How does a text travel in short messages? In the GSM alphabet where it can, else in UCS-2; a long one in parts (3GPP TS 23.038, 23.040).

import smpp from 'smpp'

/** SMSC default alphabet, here GSM 7 bit, one character an octet; UCS-2. */
export type DataCoding = 0x00 | 0x08

export interface SmsParts {
  readonly dataCoding: DataCoding
  /** In order; several when the text is longer than one message. */
  readonly texts: readonly string[]
}

const gsm = { whole: 160, part: 153 }
const ucs2 = { whole: 70, part: 67 }

/** Written as two characters: an escape before it. */
const gsmExtended = new Set('\f^{}\\[~]|€')

/** Characters are never torn apart: neither an escape from what it escapes, nor the halves of a pair of surrogates. */
export function smsParts(text: string): SmsParts {
  const isGsm = smpp.encodings.ASCII.match(text)
  const { whole, part } = isGsm ? gsm : ucs2
  const lengthOf = isGsm ? (c: string) => (gsmExtended.has(c) ? 2 : 1) : (c: string) => c.length
  const dataCoding = isGsm ? 0x00 : 0x08
  const characters = [...text]
  if (characters.reduce((sum, c) => sum + lengthOf(c), 0) <= whole) return { dataCoding, texts: [text] }
  const texts: string[] = []
  let current = ''
  let length = 0
  for (const c of characters) {
    if (length + lengthOf(c) > part) {
      texts.push(current)
      current = ''
      length = 0
    }
    current += c
    length += lengthOf(c)
  }
  return { dataCoding, texts: [...texts, current] }
}

/** User data header of one part: concatenated short messages, 8-bit reference number (TS 23.040, 9.2.3.24.1). */
export const partHeader = (reference: number, count: number, index: number) =>
  Buffer.of(5, 0, 3, reference & 0xff, count, index + 1)
