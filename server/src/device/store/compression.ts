// How is a text of an analysis kept small? Ids as bytes, the rest by zstd with a dictionary of what analyses have in common.

import { readFileSync } from 'node:fs'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { isUuid, uuidBytes, uuidText } from '../../storage/uuid.ts'

/**
 * By the byte that a compact text begins with, less one. A dictionary stays for as long as there are texts that were made with it;
 * the last one is used for new texts. `bench/train-dictionary.ts` makes them.
 */
const dictionaries = ['1.zdict'].map((name) => readFileSync(new URL(`./dictionaries/${name}`, import.meta.url)))

/** Texts are a few thousand characters: tables for more would have to be cleared each time. */
const params = {
  [constants.ZSTD_c_compressionLevel]: 3,
  [constants.ZSTD_c_windowLog]: 16,
  [constants.ZSTD_c_hashLog]: 13,
  [constants.ZSTD_c_chainLog]: 13,
  // What is sealed needs no checks of its own.
  [constants.ZSTD_c_contentSizeFlag]: 0,
  [constants.ZSTD_c_dictIDFlag]: 0,
}
const chunkSize = 4096

/** Form, number of ids, ids of 16 bytes, frame. */
const idBytes = 16

/**
 * About 320 bytes for an analysis with its report. `ids` are UUIDs that may be in it: chance, which zstd would spell out.
 * Not for secrets beside which an attacker may write: their length would tell.
 */
export function compacted(text: string, ids: readonly string[]): Uint8Array {
  const { shortened, taken } = withoutIds(text, ids)
  const dictionary = dictionaries.at(-1)!
  return Buffer.concat([
    Buffer.of(dictionaries.length, taken.length),
    uuidBytes(...taken),
    zstdCompressSync(shortened, { dictionary, params, chunkSize }),
  ])
}

/** The text. Throws when it is not of a known form. */
export function expanded(compact: Uint8Array): string {
  const bytes = Buffer.from(compact.buffer, compact.byteOffset, compact.byteLength)
  const [form = 0, count = 0] = bytes
  const dictionary = dictionaries[form - 1]
  if (!dictionary) throw new Error('not a compact text of a known form')
  const frameAt = 2 + count * idBytes
  const text = zstdDecompressSync(bytes.subarray(frameAt), { dictionary, chunkSize }).toString()
  return text.replace(marks, (mark) => {
    const at = 2 + (mark.charCodeAt(0) - 1) * idBytes
    return at < frameAt ? uuidText(bytes.toString('hex', at, at + idBytes)) : mark
  })
}

/** Characters that stand for ids; JSON has none of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what marks
const marks = /[\u0001-\u0008]/g
const mostIds = 8

/** The text with a mark for each id, which is kept once as bytes. Of a text that has marks none are taken. */
export function withoutIds(text: string, ids: readonly string[]): { shortened: string; taken: readonly string[] } {
  const taken = text.search(marks) === -1 ? ids.filter(isUuid).slice(0, mostIds) : []
  const shortened = taken.reduce((rest, id, place) => rest.replaceAll(id, String.fromCharCode(1 + place)), text)
  return { shortened, taken }
}
