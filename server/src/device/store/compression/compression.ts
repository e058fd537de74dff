// How does the text of an analysis become small? Ids become bytes; zstd compresses the rest with a dictionary of typical analyses.

import { readFileSync } from 'node:fs'
import { constants } from 'node:zlib'
import { isUuid, uuidBytes, uuidText } from '../../../core/storage/uuid.ts'
import { zstdCodec } from './zstd-codec.ts'

/** In the order of their making: a compact text begins with the number of its dictionary, from 1. Texts use the last; none is removed. */
const dictionaryFiles = ['1.zdict', '2.zdict']

/** Texts are a few thousand characters, and larger tables would have to be cleared each time. */
const common = {
  [constants.ZSTD_c_windowLog]: 16,
  // Sealing already detects changes.
  [constants.ZSTD_c_contentSizeFlag]: 0,
  [constants.ZSTD_c_dictIDFlag]: 0,
}
const searching = {
  ...common,
  [constants.ZSTD_c_hashLog]: 14,
  [constants.ZSTD_c_chainLog]: 14,
  [constants.ZSTD_c_searchLog]: 3,
}
/** A decision of 4 KB takes 48 µs and 865 bytes with `thorough`, 27 µs and 913 with `quick`, 12 µs and 990 with `brief`. */
const efforts = {
  thorough: { ...searching, [constants.ZSTD_c_strategy]: constants.ZSTD_lazy2 },
  quick: { ...searching, [constants.ZSTD_c_strategy]: constants.ZSTD_greedy },
  brief: {
    ...common,
    [constants.ZSTD_c_compressionLevel]: 3,
    [constants.ZSTD_c_hashLog]: 13,
    [constants.ZSTD_c_chainLog]: 13,
  },
}
export type CompressionEffort = keyof typeof efforts

/** A compact text is: number of the dictionary, number of ids, ids of 16 bytes, zstd frame. */
const idBytes = 16

export interface Compression {
  /**
   * About 300 bytes for an analysis with its report. `ids` are UUIDs that the text may contain: zstd cannot compress random digits.
   * Not for a secret beside text of an attacker: the length would reveal it. `effort`: `brief` for what lives for minutes.
   */
  compress(text: string, ids: readonly string[], effort?: CompressionEffort): Uint8Array
  /** The text. @throws Error when the bytes are no compact text */
  expand(compact: Uint8Array): string
  /** One line of the text, from 0. Costs less when the others are long. */
  expandLine(compact: Uint8Array, line: number): string
}

/** Reads the dictionaries, which `proof/bench/train-dictionary.ts` makes. */
export function openCompression(): Compression {
  const dictionaries = dictionaryFiles.map((name) => readFileSync(new URL(`./dictionaries/${name}`, import.meta.url)))
  const codecs = dictionaries.map((dictionary) => zstdCodec({ dictionary, params: efforts.thorough }))
  const dictionary = dictionaries.at(-1)!
  const codecOf = {
    thorough: codecs.at(-1)!,
    quick: zstdCodec({ dictionary, params: efforts.quick }),
    brief: zstdCodec({ dictionary, params: efforts.brief }),
  }
  const bytesOf = (compact: Uint8Array) => {
    const bytes = Buffer.from(compact.buffer, compact.byteOffset, compact.byteLength)
    const [number = 0, count = 0] = bytes
    const codec = codecs[number - 1]
    if (!codec) throw new Error('The bytes do not begin with the number of a known dictionary')
    const frameAt = 2 + count * idBytes
    return { ids: bytes.subarray(2, frameAt), shortened: codec.expand(bytes.subarray(frameAt)) }
  }
  return {
    compress(text, ids, effort = 'thorough') {
      const { shortened, taken } = withoutIds(text, ids)
      const frame = codecOf[effort].compress(Buffer.from(shortened))
      return Buffer.concat([Buffer.of(codecs.length, taken.length), uuidBytes(...taken), frame])
    },

    expand(compact) {
      const { shortened, ids } = bytesOf(compact)
      return withIds(shortened.toString(), ids)
    },

    expandLine(compact, line) {
      const { shortened, ids } = bytesOf(compact)
      let start = 0
      for (let before = 0; before < line; before++) {
        const end = shortened.indexOf(lineEnd, start)
        if (end < 0) return ''
        start = end + 1
      }
      const end = shortened.indexOf(lineEnd, start)
      return withIds(shortened.toString('utf8', start, end < 0 ? shortened.length : end), ids)
    },
  }
}

/** Characters that replace ids; JSON contains none of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what marks
const marks = /[\u0001-\u0008]/g
const mostIds = 8
const lineEnd = 10

function withIds(text: string, ids: Buffer): string {
  if (ids.length === 0) return text
  const texts = Array.from({ length: ids.length / idBytes }, (_, place) =>
    uuidText(ids.subarray(place * idBytes, (place + 1) * idBytes)),
  )
  return text.replace(marks, (mark) => texts[mark.charCodeAt(0) - 1] ?? mark)
}

/** The text with a mark in place of each id. A text that already contains marks stays as it is. */
export function withoutIds(text: string, ids: readonly string[]): { shortened: string; taken: readonly string[] } {
  const taken = text.search(marks) === -1 ? ids.filter(isUuid).slice(0, mostIds) : []
  return { shortened: marked(text, taken), taken }
}

/** With one copy of the text, not one for each id. */
function marked(text: string, ids: readonly string[]): string {
  const found: { readonly at: number; readonly mark: string; readonly end: number }[] = []
  for (const [place, id] of ids.entries()) {
    const mark = String.fromCharCode(1 + place)
    for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + id.length))
      found.push({ at, mark, end: at + id.length })
  }
  found.sort((one, other) => one.at - other.at)
  const parts: string[] = []
  let from = 0
  for (const { at, mark, end } of found) {
    if (at < from) continue // an id that is given twice
    parts.push(text.slice(from, at), mark)
    from = end
  }
  parts.push(text.slice(from))
  return parts.join('')
}
