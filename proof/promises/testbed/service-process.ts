// How is the service started as a separate process, controlled, killed and stopped?

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { IssuedCredentials } from '../../../server/src/clients/credentials.ts'
import type { RunOptions } from '../promise.ts'
import type { Commands, Report, ServeOptions } from './serve.ts'

const serve = fileURLToPath(new URL('./serve.ts', import.meta.url))

type Tail<Args> = Args extends [unknown, ...infer Rest] ? Rest : []

export interface ServiceProcess {
  readonly url: string
  readonly pid: number
  /** Time from spawn to listening. */
  readonly startedInMs: number
  /** Runs a command of serve.ts. Rejects with the error's name and message, or when the process is gone. */
  command<Name extends keyof Commands>(
    command: Name,
    ...args: Tail<Parameters<Commands[Name]>>
  ): Promise<Awaited<ReturnType<Commands[Name]>>>
  /** Sends kill -9; resolves when the process is gone. */
  kill(): Promise<void>
  /** Sends SIGTERM; resolves with the exit code after the drain. */
  stop(): Promise<number | null>
}

/** The process reported why it did not start. */
export class FailedToStart extends Error {
  override name = 'FailedToStart'
}

/** The process ended while a caller waited for it. */
export class ProcessGone extends Error {
  override name = 'ProcessGone'
}

export interface Starting {
  /** Resolves when the service listens; rejects with FailedToStart or ProcessGone. */
  readonly started: Promise<ServiceProcess>
  kill(): Promise<void>
}

/** Like `startService`, for programs that kill it before it listens. `wrapper`: a command line in front of node's. */
export function spawnService(
  options: ServeOptions,
  { after }: Pick<RunOptions, 'after'>,
  wrapper: readonly string[] = [],
): Starting {
  const [program = '', ...args] = [...wrapper, process.execPath, serve, JSON.stringify(options)]
  const spawnedAt = performance.now()
  // A separate process group, so that a wrapper and its child are killed together.
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
  started.catch(() => undefined) // a program that kills it during the start does not wait for it
  const asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0

  const command = (name: string, ...args: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++lastId
      asked.set(id, { resolve, reject })
      // Without a listener, a channel that closes meanwhile would throw an uncaught error; `gone` rejects the command.
      child.send({ id, command: name, args }, () => undefined)
    })
  child.on('message', (report: Report) => {
    if ('listening' in report) {
      const { listening: url, pid } = report
      const startedInMs = performance.now() - spawnedAt
      const stop = async () => {
        process.kill(pid, 'SIGTERM')
        return gone
      }
      resolve({ url, pid, startedInMs, command: command as ServiceProcess['command'], kill, stop })
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

/** The credentials of a client of a new tenant. */
export async function newClient({ command }: ServiceProcess, tenant: string): Promise<IssuedCredentials> {
  return command('createClient', await command('createTenant', tenant), 'client')
}

/** Starts the service as a separate process, which ends with the run at the latest. */
export function startServiceProcess(
  options: ServeOptions,
  run: Pick<RunOptions, 'after'>,
  wrapper?: readonly string[],
): Promise<ServiceProcess> {
  return spawnService(options, run, wrapper).started
}
