// How does a test create a small MMDB file? From networks and records. (MaxMind DB file format 2.0)

import { parseAddress } from '../../core/address/address.ts'

/** Whole numbers are written as uint32, others as double. */
export type MmdbValue = string | number | boolean | readonly MmdbValue[] | { readonly [key: string]: MmdbValue }

export interface MmdbContent {
  databaseType: string
  builtAt: Date
  /** 6, by default, holds both families. */
  ipVersion?: 4 | 6
  /** `192.0.2.0/24` → record; a later network may lie within an earlier one. */
  networks: Readonly<Record<string, MmdbValue>>
}

/** A side of a node: another node, a record by its position in the data, or nothing. */
type Side = { node: Node } | { dataAt: number } | undefined
type Node = [Side, Side]

/** The bytes of the file. */
export function mmdbBytes({ databaseType, builtAt, ipVersion = 6, networks }: MmdbContent): Buffer {
  const root: Node = [undefined, undefined]
  const data: Buffer[] = []
  let dataSize = 0
  for (const [network, record] of Object.entries(networks)) {
    insert(root, bitsOf(network, ipVersion), { dataAt: dataSize })
    const bytes = encode(record)
    data.push(bytes)
    dataSize += bytes.length
  }
  const nodes = nodesUnder(root)
  const numbers = new Map(nodes.map((node, i) => [node, i]))
  const tree = Buffer.alloc(nodes.length * 8)
  for (const [i, node] of nodes.entries()) {
    for (const [right, side] of node.entries()) {
      const value =
        side === undefined
          ? nodes.length
          : 'node' in side
            ? numbers.get(side.node)!
            : nodes.length + separator.length + side.dataAt
      tree.writeUInt32BE(value, 8 * i + 4 * right)
    }
  }
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1000),
    database_type: databaseType,
    description: {},
    ip_version: ipVersion,
    languages: [],
    node_count: nodes.length,
    record_size: 32,
  }
  return Buffer.concat([tree, separator, ...data, marker, encode(metadata)])
}

const separator = Buffer.alloc(16)
const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')

function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [text = '', length] = network.split('/')
  const { words } = parseAddress(text)!
  const bits = words.flatMap((word) => Array.from({ length: 32 }, (_, i) => (word >>> (31 - i)) & 1))
  const own = bits.slice(0, Number(length))
  return words.length === 1 && ipVersion === 6 ? [...new Array(96).fill(0), ...own] : own
}

function insert(root: Node, bits: readonly number[], leaf: Side): void {
  let node = root
  for (const bit of bits.slice(0, -1) as (0 | 1)[]) {
    const side = node[bit]
    if (side && 'node' in side) node = side.node
    else {
      // The record of the whole block applies to both halves.
      const child: Node = [side, side]
      node[bit] = { node: child }
      node = child
    }
  }
  node[bits.at(-1) as 0 | 1] = leaf
}

function nodesUnder(node: Node): Node[] {
  return [node, ...node.flatMap((side) => (side && 'node' in side ? nodesUnder(side.node) : []))]
}

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'boolean') return control(14, value ? 1 : 0)
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(Number.isInteger(value) && value >= 0 ? 4 : 8)
    if (bytes.length === 4) bytes.writeUInt32BE(value)
    else bytes.writeDoubleBE(value)
    return Buffer.concat([control(bytes.length === 4 ? 6 : 3, bytes.length), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([control(7, entries.length), ...entries.flat().map((part) => encode(part as MmdbValue))])
}

/** Type and size. Types above 7 have a separate byte. */
function control(type: number, size: number): Buffer {
  if (size > 284) throw new RangeError('That is more than a small test file needs')
  const ownSize = Math.min(size, 29)
  const head = type <= 7 ? [(type << 5) | ownSize] : [ownSize, type - 7]
  return Buffer.from(size < 29 ? head : [...head, size - 29])
}
