// How does the console follow server-sent events? With fetch, which sends headers and shows refusals; it reconnects automatically.

import { CallFailed, type Problem } from './problem.ts'
import { unattendedHeader } from './unattended.ts'

interface StreamOptions {
  /** Read at each connection. */
  readonly headers: () => Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Called with what arrived together, oldest first. */
  readonly onEvents: (events: readonly { readonly id: string; readonly data: string }[]) => void
  /** Called each time a connection is open. */
  readonly onOpen: () => void
  /** Called when a connection could not be opened; a temporary failure is tried again. */
  readonly onError: (error: CallFailed) => void
}

const shortestPauseMs = 1_000
const longestPauseMs = 15_000

/** Resolves when the signal aborts, or when the service refuses and trying again is no use. */
export async function followEvents(url: string, options: StreamOptions): Promise<void> {
  const { signal, onError } = options
  let lastId: string | undefined
  let pauseMs = shortestPauseMs
  while (!signal.aborted) {
    try {
      await connect(url, lastId, options, (id) => {
        lastId = id
        pauseMs = shortestPauseMs
      })
    } catch (error) {
      if (signal.aborted) return
      const failed = error instanceof CallFailed ? error : new CallFailed(undefined)
      onError(failed)
      if (failed.problem && !failed.isTemporary) return
    }
    // Many pages lose a server at the same time.
    await pause(pauseMs * (0.5 + Math.random()), signal)
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
  }
}

async function connect(
  url: string,
  lastId: string | undefined,
  { headers, signal, onEvents, onOpen }: StreamOptions,
  arrived: (id: string) => void,
): Promise<void> {
  const response = await fetch(url, {
    headers: {
      accept: 'text/event-stream',
      ...unattendedHeader(),
      ...headers(),
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    },
    credentials: 'same-origin',
    signal,
  })
  if (!response.ok || !response.body) {
    throw new CallFailed((await response.json().catch(() => undefined)) as Problem | undefined)
  }
  onOpen()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (true) {
    const { done, value } = await reader.read()
    if (done) return
    const { events, rest } = parse(text + value)
    text = rest
    const last = events.at(-1)
    if (!last) continue
    arrived(last.id)
    onEvents(events)
  }
}

/** Messages end with an empty line. Comments and messages without an id are left out. */
export function parse(text: string): { events: { id: string; data: string }[]; rest: string } {
  const parts = text.split('\n\n')
  const rest = parts.pop()!
  const events = parts.flatMap((part) => {
    const field = (name: string) =>
      part
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    const [id, data] = [field('id'), field('data')]
    return id === undefined || data === undefined ? [] : [{ id, data }]
  })
  return { events, rest }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })
