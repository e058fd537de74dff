// Where do windows appear? On a virtual screen (Xvfb).

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Display {
  /** Value of the variable DISPLAY. */
  readonly name: string
  close(): void
}

export type ScreenSize = `${number}x${number}`

/** Opens a screen; Xvfb picks a free number. */
export async function openDisplay(size: ScreenSize = '1280x800'): Promise<Display> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const failed = once(server, 'error').then(([error]) => Promise.reject(error))
  const [number] = await Promise.race([once(server.stdio[3] as NodeJS.ReadableStream, 'data'), failed])
  return { name: `:${String(number).trim()}`, close: () => server.kill() }
}

export interface OrdinaryProcess {
  readonly command: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly folder: string
  readonly display: Display
}

/**
 * Starts a program as an ordinary user, even when this process is root: browsers behave differently for root. The program leads
 * a process group, which `endGroup` ends as a whole.
 */
export function startAsPerson({ command, args, environment = {}, folder, display }: OrdinaryProcess): ChildProcess {
  const nobody = 65_534
  return spawn(command, args, {
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: folder, DISPLAY: display.name, ...environment },
    stdio: 'ignore',
    detached: true,
    ...(process.getuid?.() === 0 && { uid: nobody, gid: nobody }),
  })
}

/** A browser writes its storage when it ends. */
const patienceMs = 6000

/** Ends a program and everything that it started. The program is asked first: it needs its own processes to end well. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  for (const [signal, pid] of [
    ['SIGTERM', child.pid],
    ['SIGKILL', -child.pid],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      if (pid < 0) return // no process is left
    }
    if (child.exitCode === null && child.signalCode === null) {
      await Promise.race([once(child, 'exit'), new Promise((resolve) => setTimeout(resolve, patienceMs).unref())])
    }
  }
}
