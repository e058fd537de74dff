// Where do windows appear? On a screen of their own that nobody sees (Xvfb).

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Display {
  /** For the variable DISPLAY. */
  readonly name: string
  close(): void
}

export type ScreenSize = `${number}x${number}`

/** Opens a screen; Xvfb finds a number that is free. */
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
 * Starts a program as a person would: as an ordinary user also where this one is root, for whom browsers behave in other ways. It leads
 * a group of processes, which `endGroup` ends as a whole.
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

/** Ends a program with all that it started. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(-child.pid, signal)
    } catch {
      return // none of them is left
    }
    if (child.exitCode === null && child.signalCode === null) {
      await Promise.race([once(child, 'exit'), new Promise((resolve) => setTimeout(resolve, 1500).unref())])
    }
  }
}
