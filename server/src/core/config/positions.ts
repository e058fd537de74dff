// Where in the configuration file is the key that an error names? `ringfence.yaml:3:5`.

import { type Document, isMap, isScalar, isSeq, type LineCounter } from 'yaml'

/** Path, line and column of the key with which a message begins, or of the nearest key around it. */
export type PlaceOf = (message: string) => string

export function placesIn(path: string, document: Document, lines: LineCounter): PlaceOf {
  return (message) => {
    const [key = ''] = /^[^\s:,]+/.exec(message) ?? []
    const offset = offsetOf(document.contents, key.split('.'))
    if (offset === undefined) return path
    const { line, col } = lines.linePos(offset)
    return `${path}:${line}:${col}`
  }
}

function offsetOf(contents: unknown, words: readonly string[]): number | undefined {
  let node = contents
  let offset: number | undefined
  for (let next = 0; next < words.length; ) {
    const found = isMap(node)
      ? inMap(node.items, words.slice(next))
      : isSeq(node)
        ? inList(node.items, words[next])
        : undefined
    if (!found) break
    offset = found.offset ?? offset
    node = found.value
    next += found.words
  }
  return offset
}

interface Found {
  offset: number | undefined
  value: unknown
  /** How many words name it. */
  words: number
}

/** A name of a connector may contain dots, so the longest key wins. */
function inMap(items: readonly { key: unknown; value: unknown }[], words: readonly string[]): Found | undefined {
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join('.')
    const pair = items.find(({ key }) => isScalar(key) && String(key.value) === name)
    if (pair) return { offset: isScalar(pair.key) ? pair.key.range?.[0] : undefined, value: pair.value, words: count }
  }
  return undefined
}

function inList(items: readonly unknown[], index = ''): Found | undefined {
  const item = /^\d+$/.test(index) ? items[Number(index)] : undefined
  return item === undefined ? undefined : { offset: (item as { range?: [number] }).range?.[0], value: item, words: 1 }
}
