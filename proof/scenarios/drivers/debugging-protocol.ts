// How is a Chromium driven without a library? Over the Chrome DevTools Protocol, on the debugging port of a browser.

import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { endGroup, startAsPerson } from '../display.ts'
import type { Stage } from '../scenario.ts'

export interface Protocol {
  send(method: string, params?: object): Promise<unknown>
}

export interface OpenProtocol extends Protocol {
  readonly port: number
  /** Disconnects; the browser keeps running. */
  close(): void
}

/** Starts a Chromium with a debugging port, and connects to its first page. */
export async function openProtocol(args: readonly string[], { display, folder, after }: Stage): Promise<OpenProtocol> {
  // An explicit port: with port 0 the browser would set navigator.webdriver.
  const [port] = await freePorts(1)
  const browser = startAsPerson({
    command: 'chromium',
    args: [...args, `--user-data-dir=${folder}/profile`, `--remote-debugging-port=${port}`, 'about:blank'],
    folder,
    display,
  })
  after(() => endGroup(browser))
  const page = await until(async () => {
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as Record<string, string>[]
    const found = targets.find(({ type }) => type === 'page')
    if (!found) throw new Error('The browser has no page yet')
    return found
  })
  const protocol = await speak(page.webSocketDebuggerUrl!)
  after(protocol.close)
  return { ...protocol, port: port! }
}

/** Commands with numbered answers over one socket, for both CDP and WebDriver BiDi. */
export async function speak(url: string): Promise<Protocol & { close(): void }> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  const waiting = new Map<number, (answer: unknown) => void>()
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
    if (id !== undefined) waiting.get(id)?.(result)
  }
  let last = 0
  return {
    send(method, params = {}) {
      const id = ++last
      socket.send(JSON.stringify({ id, method, params }))
      return new Promise((resolve) => waiting.set(id, resolve))
    },
    close: () => socket.close(),
  }
}

/** Retries until it succeeds, for as long as a browser may take to start on a busy machine. */
export async function until<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const lastMs = performance.now() + 60_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > lastMs) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
