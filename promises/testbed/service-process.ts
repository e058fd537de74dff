// How is the service started as a process of its own, told what to do, killed and stopped?

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { RunOptions } from '../promise.ts'
import type { Commands, Report, ServeOptions } from './serve.ts'

const serve = fileURLToPath(new URL('./serve.ts', import.meta.url))

type Tail<Args> = Args extends [unknown, ...infer Rest] ? Rest : []

export interface ServiceProcess {
  readonly url: string
  readonly pid: number
  /** From spawning the process until it listened, and the part of it after the program was loaded. */
  readonly startedInMs: number
  readonly openedInMs: number
  /** Runs a command of serve.ts there. Rejects with the error's name and message, or when the process is gone. */
  tell<Name extends keyof Commands>(
    command: Name,
    ...args: Tail<Parameters<Commands[Name]>>
  ): Promise<Awaited<ReturnType<Commands[Name]>>>
  /** kill −9; answers when it is gone. */
  kill(): Promise<void>
  /** SIGTERM; answers its exit code when it has drained and is gone. */
  stop(): Promise<number | null>
}

/** The process has said why it did not start. */
export class FailedToStart extends Error {
  override name = 'FailedToStart'
}

/** The process ended while somebody waited for it. */
export class ProcessGone extends Error {
  override name = 'ProcessGone'
}

export interface Starting {
  /** Settles when it listens; rejects with FailedToStart or ProcessGone. */
  readonly started: Promise<ServiceProcess>
  kill(): Promise<void>
}

/** As `startService`, for whoever wants to kill it before it listens. `wrapper` is a command line put before node's. */
export function spawnService(
  options: ServeOptions,
  { after }: Pick<RunOptions, 'after'>,
  wrapper: readonly string[] = [],
): Starting {
  const [program = '', ...args] = [...wrapper, process.execPath, serve, JSON.stringify(options)]
  const spawnedAt = performance.now()
  // A group of its own, so that a wrapper and what it runs are killed together.
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], detached: true })
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
    child.once('error', () => resolve(null))
  })
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
    await gone
  }
  after(kill)
  const { promise: started, resolve, reject } = Promise.withResolvers<ServiceProcess>()
  started.catch(() => undefined) // who kills it while it starts does not wait for it
  const asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0

  const tell = (command: string, ...args: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++lastId
      asked.set(id, { resolve, reject })
      // Without a listener a channel that closes meanwhile would throw in nobody's hands; `gone` rejects the question.
      child.send({ id, command, args }, () => undefined)
    })
  child.on('message', (report: Report) => {
    if ('listening' in report) {
      const { listening: url, pid, openedInMs } = report
      const startedInMs = performance.now() - spawnedAt
      const stop = async () => {
        process.kill(pid, 'SIGTERM')
        return gone
      }
      resolve({ url, pid, startedInMs, openedInMs, tell: tell as ServiceProcess['tell'], kill, stop })
    } else if ('failedToStart' in report) {
      reject(new FailedToStart(report.failedToStart))
    } else {
      const waiting = asked.get(report.id)
      asked.delete(report.id)
      if ('error' in report)
        waiting?.reject(Object.assign(new Error(report.error.message), { name: report.error.name }))
      else waiting?.resolve(report.value)
    }
  })
  void gone.then(() => {
    const error = new ProcessGone('the process has ended')
    reject(error)
    for (const { reject } of asked.values()) reject(error)
  })
  return { started, kill }
}

/** Starts the service as a process of its own, which ends with the run at the latest. */
export function startServiceProcess(
  options: ServeOptions,
  run: Pick<RunOptions, 'after'>,
  wrapper?: readonly string[],
): Promise<ServiceProcess> {
  return spawnService(options, run, wrapper).started
}
