// Which lines has a body? It is read as it arrives, and neither a line nor the whole takes more memory than it may.

import { isUtf8 } from 'node:buffer'
import { batchLimits } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'

export interface IncomingLine {
  /** From 1. */
  readonly line: number
  /** Without its end. */
  readonly text: string
  /** What is wrong with it; `text` is then empty. */
  readonly mistake?: string
}

const newline = 0x0a
const byteOrderMark = '\ufeff'

/** The lines of each chunk that arrives; empty ones are left out. Refuses with `bodyTooLarge` and `batchInvalid`. */
export async function* incomingLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<IncomingLine[]> {
  let rest: Buffer[] = []
  let restBytes = 0
  let totalBytes = 0
  let line = 0

  const takeRest = (end: Buffer): IncomingLine[] => {
    const isTooLong = restBytes + end.length > batchLimits.lineBytes
    const whole = isTooLong ? undefined : rest.length === 0 ? end : Buffer.concat([...rest, end])
    rest = []
    restBytes = 0
    line++
    if (!whole) return [{ line, text: '', mistake: `the line has more than ${batchLimits.lineBytes} bytes` }]
    if (!isUtf8(whole)) return [{ line, text: '', mistake: 'the line is not UTF-8' }]
    let text = whole.toString().replace(/\r$/, '')
    if (line === 1 && text.startsWith(byteOrderMark)) text = text.slice(1)
    return text.trim() === '' ? [] : [{ line, text }]
  }

  for await (const piece of bytes) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    if (totalBytes === 0) refuseUtf16(chunk)
    totalBytes += chunk.length
    if (totalBytes > batchLimits.bytes) throw new Refusal('bodyTooLarge', { limitBytes: batchLimits.bytes })
    const lines: IncomingLine[] = []
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      lines.push(...takeRest(chunk.subarray(from, end)))
      from = end + 1
    }
    // Of a line that is too long already, only its length counts.
    if (restBytes <= batchLimits.lineBytes) rest.push(Buffer.from(chunk.subarray(from)))
    restBytes += chunk.length - from
    if (lines.length > 0) yield lines
  }
  if (restBytes > 0) yield takeRest(Buffer.alloc(0))
}

function refuseUtf16(first: Buffer): void {
  const isUtf16 = first.length > 1 && (first.readUInt16BE(0) === 0xfeff || first.readUInt16LE(0) === 0xfeff)
  if (isUtf16) throw new Refusal('batchInvalid', { mistake: 'it is UTF-16; send it as UTF-8' })
}
