// Which IP addresses does a published list name? Reads lines, CSV and JSON, and refuses implausible lists.

import { parseAddress, parseConnectionAddress } from '../../core/address/address.ts'
import type { AddressRange } from './address-lists.ts'

/** The list cannot be used. The message says why. */
export class ListRefused extends Error {
  override name = 'ListRefused'
}

/** Share of other lines that a list may have. An error page has nothing else. */
const strayLines = 0.01
/** `ip,port`: the header row of a CSV. It must not count as a stray line, which a short list may not have. */
const columnNames = /^\uFEFF?"?[a-z_]+"?([,;].*)?\r?\n/i
/** The widest plausible block, as a prefix length. `0.0.0.0/0` would make every client suspicious. */
const widestBlock = { 4: 8, 6: 16 } as const

/**
 * The ranges of a list: addresses (also with a port), CIDR blocks, or `first-last`, one at the beginning of each line (what follows a
 * space, comma or semicolon is ignored; `#` and `;` begin comments; a CSV may have a header row), or as texts anywhere in a JSON document.
 *
 * @throws ListRefused for a list without addresses, with too many other lines, or with a block that is too wide to be plausible
 */
export function rangesOfList(text: string): AddressRange[] {
  const isJson = /^\s*[[{]/.test(text)
  const entries = isJson ? textsOf(parseJson(text)) : linesOf(text)
  const ranges: AddressRange[] = []
  let strays = 0
  for (const entry of entries) {
    const range = rangeOf(entry)
    if (range) ranges.push(range)
    else strays++
  }
  if (ranges.length === 0) throw new ListRefused('it names no IP address')
  // JSON has other texts by its nature: regions, services, dates.
  if (!isJson && strays > strayLines * entries.length) {
    throw new ListRefused(`${strays} of ${entries.length} lines are not IP addresses`)
  }
  return ranges
}

function linesOf(text: string): string[] {
  return text
    .replace(columnNames, '')
    .split('\n')
    .map((line) => line.split(/[\s,;#]/, 1)[0] ?? '')
    .filter((entry) => entry !== '')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ListRefused(`it is not valid JSON: ${(cause as Error).message}`, { cause })
  }
}

/** Every text of a JSON document. Not recursive, because the document may be deep. */
function textsOf(document: unknown): string[] {
  const texts: string[] = []
  const open: unknown[] = [document]
  while (open.length > 0) {
    const part = open.pop()
    if (typeof part === 'string') texts.push(part)
    else if (typeof part === 'object' && part !== null) for (const each of Object.values(part)) open.push(each)
  }
  return texts
}

/** Lists of proxies name where they listen: `8.8.8.8:3128`, `socks5://[2001:db8::1]:1080`. */
const endpoint = /^(?:[a-z][a-z0-9]*:\/\/)?(?:(\d+\.\d+\.\d+\.\d+)|\[([0-9a-f:.]+)\]):\d{1,5}$/i

function rangeOf(text: string): AddressRange | undefined {
  const [, ipv4, ipv6] = endpoint.exec(text) ?? []
  const entry = ipv4 ?? ipv6 ?? text
  const [head = '', tail] = entry.split(/[/-]/, 2)
  // The length of a block means something else for the IPv4 address inside it.
  const first = addressNumber(tail === undefined ? parseAddress(head) : parseConnectionAddress(head))
  if (!first) return undefined
  const { family, number } = first
  const width = family === 4 ? 32 : 128
  if (entry.includes('/')) {
    if (tail === undefined || !/^\d{1,3}$/.test(tail) || Number(tail) > width) return undefined
    return blockOf(family, number, Number(tail), width)
  }
  if (tail === undefined) return { family, first: number, last: number }
  const last = addressNumber(parseConnectionAddress(tail))
  if (last?.family !== family || last.number < number) return undefined
  if (last.number - number >= 1n << BigInt(width - widestBlock[family])) throw tooWide(entry)
  return { family, first: number, last: last.number }
}

function blockOf(family: 4 | 6, number: bigint, prefixLength: number, width: number): AddressRange {
  if (prefixLength < widestBlock[family]) throw tooWide(`a block of /${prefixLength}`)
  const hostBits = BigInt(width - prefixLength)
  const first = (number >> hostBits) << hostBits
  return { family, first, last: first + (1n << hostBits) - 1n }
}

function addressNumber(
  address: { readonly words: readonly number[] } | undefined,
): { family: 4 | 6; number: bigint } | undefined {
  if (!address) return undefined
  const number = address.words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n)
  return { family: address.words.length === 1 ? 4 : 6, number }
}

const tooWide = (what: string) => new ListRefused(`it names ${what}, which is too wide to be plausible`)
