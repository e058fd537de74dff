// Which network operator announces each IP range? Written once, as server/dist/asn.bin.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installed, starterAsnPackage, starterAsnPath } from '../server/src/ip/files/address-files.ts'
import { type AnnouncedRange, encodeAsnFile, readAsnFile } from '../server/src/ip/files/asn-file.ts'

/**
 * Builds the file from the CSV files of ip-location-db, in about two seconds, unless an undamaged file of the installed version
 * exists.
 */
export function buildAsnFile(path: string = starterAsnPath): 'built' | 'up to date' {
  const { folder, origin } = installed(starterAsnPackage)
  if (originOf(path) === origin) return 'up to date'
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, encodeAsnFile({ origin, ranges: rangesOf(folder) }))
  renameSync(unfinished, path)
  return 'built'
}

function* rangesOf(folder: string): Generator<AnnouncedRange> {
  for (const [file, wordsOf] of [
    ['asn-ipv4-num.csv', (text: string) => [Number(text)]],
    ['asn-ipv6-num.csv', fourWords],
  ] as const) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    for (const [i, line] of lines.entries()) {
      if (line === '') continue
      // Numbers contain no commas; a name with commas or quotes is quoted, and its quotes are doubled (RFC 4180).
      const [, first, last, asn, name] = /^(\d+),(\d+),(\d+),(?:"?)(.*?)(?:"?)\r?$/.exec(line) ?? []
      if (!first || !last) throw new Error(`${join(folder, file)}, line ${i + 1} is not an IP range`)
      yield { first: wordsOf(first), last: wordsOf(last), asn: Number(asn), name: (name ?? '').replaceAll('""', '"') }
    }
  }
}

function fourWords(text: string): number[] {
  const number = BigInt(text)
  return [96n, 64n, 32n, 0n].map((shift) => Number((number >> shift) & 0xffff_ffffn))
}

function originOf(path: string): string | undefined {
  try {
    return readAsnFile(path).origin
  } catch {
    return undefined
  }
}

if (import.meta.main) console.log(`${starterAsnPath}: ${buildAsnFile()}`)
