// What did rules read of these decisions? This thread opens a page of sealed records at a time, and returns what a backtest needs.

import type { KeyObject } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { keysThatOpen } from '../../core/crypto/keyring.ts'
import { takeLowPriority } from '../../core/crypto/low-priority.ts'
import { openCompression } from '../../device/store/compression/compression.ts'
import { projectionOf } from '../../rules/backtests/projection.ts'
import { openInput } from '../record/record.ts'

export interface OpeningData {
  readonly tenantId: string
  /** What rules read; undefined for everything. */
  readonly paths: readonly string[] | undefined
}

export interface SealedPage {
  readonly dataKeys: ReadonlyMap<number, KeyObject>
  readonly decisionIds: readonly string[]
  /** The records, one after the other: each ends at its place in `ends`. */
  readonly bytes: Uint8Array
  readonly ends: readonly number[]
}

/** The inputs of a page as a JSON array, or undefined when a record could not be opened. */
export type OpenedPage = string | undefined

function openerOf({ tenantId, paths }: OpeningData): (page: SealedPage) => string {
  const compression = openCompression()
  const project = paths && projectionOf(paths)
  return ({ dataKeys, decisionIds, bytes, ends }) => {
    const keys = keysThatOpen(dataKeys)
    const inputs = decisionIds.map((decisionId, i) => {
      const sealed = bytes.subarray(ends[i - 1] ?? 0, ends[i])
      const input = openInput({ tenantId, decisionId, sealed }, keys, compression)
      return project ? project(input) : input
    })
    return `[${inputs.join(',')}]`
  }
}

/** Never throws: the main thread opens a page again that fails here, and has the error. */
function answerOf(open: (page: SealedPage) => string, page: SealedPage): OpenedPage {
  try {
    return open(page)
  } catch {
    return undefined
  }
}

if (parentPort) {
  const port = parentPort
  takeLowPriority()
  const open = openerOf(workerData as OpeningData)
  port.on('message', (page: SealedPage) => port.postMessage(answerOf(open, page)))
}
