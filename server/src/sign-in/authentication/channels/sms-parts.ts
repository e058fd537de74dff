// How is a text split into SMS? In the GSM alphabet if possible, otherwise in UCS-2 (3GPP TS 23.038, 23.040).

import smpp from 'smpp'

/** 0x00: SMSC default alphabet, here GSM 7-bit with one character per octet. 0x08: UCS-2. */
export type DataCoding = 0x00 | 0x08

export interface SmsParts {
  readonly dataCoding: DataCoding
  /** In order. Several when the text is longer than one message. */
  readonly texts: readonly string[]
}

const gsm = { whole: 160, part: 153 }
const ucs2 = { whole: 70, part: 67 }

/** These take two characters: an escape comes first. */
const gsmExtended = new Set('\f^{}\\[~]|€')

/** Never splits within a character: neither an escape sequence nor a surrogate pair. */
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

/**
 * User data header of one part: concatenated short messages, 8-bit reference number (TS 23.040,
 * 9.2.3.24.1).
 */
export const partHeader = (reference: number, count: number, index: number) =>
  Buffer.of(5, 0, 3, reference & 0xff, count, index + 1)
