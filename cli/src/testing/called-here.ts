// How does a test call a command without the second that a process takes to start? In its own process, one command at a time.

import { PassThrough } from 'node:stream'

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

interface Call {
  readonly args: readonly string[]
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const outputs = ['stdout', 'stderr'] as const
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
let last: Promise<unknown> = Promise.resolve()

/** Runs a command in this process with another folder, environment and output. Calls wait for each other: there is one of each. */
export function calledHere(call: Call): Promise<Finished> {
  const finished = last.then(() => callNow(call))
  last = finished.catch(() => undefined)
  return finished
}

async function callNow({ args, folder, env }: Call): Promise<Finished> {
  const { run } = await import('../main.ts')
  const undo = [inFolder(folder), withEnvironment(env), withoutNewListeners(), withoutInput()]
  const written = { stdout: '', stderr: '' }
  for (const name of outputs) undo.push(collecting(name, (text) => (written[name] += text)))
  try {
    process.exitCode = undefined
    await run(args)
    await new Promise(setImmediate) // what the command has written without waiting for it
    return { code: Number(process.exitCode ?? 0), ...written }
  } finally {
    process.exitCode = undefined
    for (const each of undo.toReversed()) each()
  }
}

function inFolder(folder: string): () => void {
  const before = process.cwd()
  process.chdir(folder)
  return () => process.chdir(before)
}

/** Of the process itself and not in place of it: the home folder is read by Node from there. */
function withEnvironment(env: Call['env']): () => void {
  const before = { ...process.env }
  replace(env)
  return () => replace(before)
}

function replace(env: Call['env']): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value
}

/** A process that ends takes its listeners with it. */
function withoutNewListeners(): () => void {
  const watched = [
    ...signals.map((event) => ({ emitter: process as NodeJS.EventEmitter, event: event as string })),
    ...outputs.map((name) => ({ emitter: process[name] as NodeJS.EventEmitter, event: 'error' })),
  ].map((each) => ({ ...each, before: new Set(each.emitter.listeners(each.event)) }))
  return () => {
    for (const { emitter, event, before } of watched) {
      for (const listener of emitter.listeners(event)) {
        if (!before.has(listener)) emitter.off(event, listener as () => void)
      }
    }
  }
}

/** As from /dev/null. */
function withoutInput(): () => void {
  const before = Object.getOwnPropertyDescriptor(process, 'stdin')!
  Object.defineProperty(process, 'stdin', { value: new PassThrough().end(), configurable: true })
  return () => Object.defineProperty(process, 'stdin', before)
}

/** As a pipe, which is no terminal. */
function collecting(name: (typeof outputs)[number], take: (text: string) => void): () => void {
  const stream = process[name]
  const { isTTY, columns } = stream
  const decoder = new TextDecoder()
  const write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    take(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
    const done = rest.findLast((each) => typeof each === 'function') as (() => void) | undefined
    if (done) process.nextTick(done)
    return true
  }
  Object.assign(stream, { isTTY: undefined, columns: undefined, write })
  return () => {
    Object.assign(stream, { isTTY, columns })
    Reflect.deleteProperty(stream, 'write')
  }
}
