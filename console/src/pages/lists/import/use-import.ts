// How is a file imported? Its lines are previewed first; only after a person has confirmed are they added, piece by piece.

import { useRef, useState } from 'react'
import { useSession } from '../../../api/session.tsx'
import { mostBytes, type Piece, piecesOf } from './pieces.ts'

interface NewEntry {
  readonly value: string
  readonly note?: string
  readonly expiresAt?: string
}

export interface Preview {
  readonly file: string
  /** What is new or changed, each value once: its last line counts. */
  readonly entries: readonly NewEntry[]
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  /** Lines whose value comes again below. */
  readonly repeated: number
  readonly malformed: readonly { readonly line: number; readonly mistake: string }[]
}

export type Import =
  | { readonly state: 'waiting'; readonly mistake?: string }
  | { readonly state: 'reading'; readonly done: number; readonly total: number }
  | { readonly state: 'read'; readonly preview: Preview }
  | { readonly state: 'writing'; readonly preview: Preview; readonly done: number }
  | { readonly state: 'stopped'; readonly preview: Preview; readonly done: number; readonly error: unknown }
  | { readonly state: 'done'; readonly preview: Preview }
  | { readonly state: 'failed'; readonly error: unknown }

/** Entries of a call; a note and a value are at most 456 characters. */
const entriesAtOnce = 1_000
const bytesAtOnce = 50_000

export function useImport(name: string) {
  const { call } = useSession()
  const [current, setCurrent] = useState<Import>({ state: 'waiting' })
  const running = useRef<AbortController>(undefined)

  function begin(): AbortController {
    running.current?.abort()
    running.current = new AbortController()
    return running.current
  }

  async function read(file: File): Promise<void> {
    if (file.size > mostBytes)
      return setCurrent({
        state: 'waiting',
        mistake: 'The file has more than 10 MB. Import it with ringfence lists import.',
      })
    const pieces = piecesOf(await file.text())
    if ('tooLarge' in pieces) return setCurrent({ state: 'waiting', mistake: pieces.tooLarge })
    if (pieces.length === 0) return setCurrent({ state: 'waiting', mistake: 'The file is empty.' })
    const { signal } = begin()
    try {
      const preview = await previewOf(file.name, pieces, signal)
      setCurrent({ state: 'read', preview })
    } catch (error) {
      if (!signal.aborted) setCurrent({ state: 'failed', error })
    }
  }

  async function previewOf(file: string, pieces: readonly Piece[], signal: AbortSignal): Promise<Preview> {
    const last = new Map<string, NewEntry & { state: 'new' | 'changed' | 'unchanged' }>()
    const malformed: { line: number; mistake: string }[] = []
    let repeated = 0
    for (const [done, piece] of pieces.entries()) {
      setCurrent({ state: 'reading', done, total: pieces.length })
      const { lines } = await call('previewListImport', { name, ...piece }, { signal })
      for (const { line, state, value, note, expiresAt, mistake } of lines) {
        if (state === 'malformed' || value === undefined) {
          malformed.push({ line, mistake: mistake ?? 'malformed' })
          continue
        }
        if (last.has(value)) repeated++
        last.set(value, {
          value,
          state,
          ...(note !== undefined && { note }),
          ...(expiresAt !== undefined && { expiresAt }),
        })
      }
    }
    const all = [...last.values()]
    const count = (wanted: string) => all.filter(({ state }) => state === wanted).length
    return {
      file,
      entries: all.filter(({ state }) => state !== 'unchanged').map(({ state: _, ...entry }) => entry),
      ...{ added: count('new'), changed: count('changed'), unchanged: count('unchanged') },
      ...{ repeated, malformed },
    }
  }

  /** Goes on where it stopped: an entry that is written twice stays as it is. */
  async function write(preview: Preview, from: number): Promise<boolean> {
    const { signal } = begin()
    let done = from
    try {
      while (done < preview.entries.length) {
        setCurrent({ state: 'writing', preview, done })
        const entries = fitting(preview.entries, done)
        await call('addListEntries', { name, entries }, { signal })
        done += entries.length
      }
      setCurrent({ state: 'done', preview })
      return true
    } catch (error) {
      setCurrent({ state: 'stopped', preview, done, error: signal.aborted ? undefined : error })
      return false
    }
  }

  return {
    current,
    read,
    write,
    stop: () => running.current?.abort(),
    reset: () => {
      running.current?.abort()
      setCurrent({ state: 'waiting' })
    },
  }
}

/** As many as fit in a call. */
function fitting(entries: readonly NewEntry[], from: number): NewEntry[] {
  const taken: NewEntry[] = []
  let bytes = 0
  for (const entry of entries.slice(from, from + entriesAtOnce)) {
    bytes += new TextEncoder().encode(JSON.stringify(entry)).length + 1
    if (bytes > bytesAtOnce && taken.length > 0) break
    taken.push(entry)
  }
  return taken
}
