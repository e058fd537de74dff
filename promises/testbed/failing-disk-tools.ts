// How does a program make a disk fail? Calls of a running process that the kernel answers with an error, and a disk that is full.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { whyNotInstalled } from '../../scripts/debian-packages.ts'
import type { RunOptions } from '../promise.ts'

const run = promisify(execFile)
const isRoot = () => process.getuid?.() === 0

/** Why system calls cannot be made to fail on this machine; undefined when they can. Installs strace where that is allowed. */
export async function whyNoStrace(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'making system calls fail needs Linux'
  if (await works('strace', '--version')) return undefined
  const advice = await whyNotInstalled('strace')
  return advice && `making system calls fail needs strace: ${advice}`
}

async function works(program: string, ...args: readonly string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  )
}

/** Which calls fail, with which error, and when: "3" the third of each thread, "3+" from then on, "1+" all. */
export interface Fault {
  calls: readonly ('pwrite64' | 'fsync' | 'fdatasync')[]
  error: 'EIO' | 'ENOSPC'
  when: string
}

const rules = ({ calls, error, when }: Fault, files: readonly string[]): string[] => [
  ...files.flatMap((file) => ['-P', file]),
  ...['-e', `trace=${calls.join()}`, '-e', `inject=${calls.join()}:error=${error}:when=${when}`],
]

/** The command line under which a process meets the fault from its start. */
export const underFault = (fault: Fault, files: readonly string[], log: string): string[] => [
  'strace',
  '-f',
  '-o',
  log,
  ...rules(fault, files),
]

/** Strikes a running process on these files until it is lifted. `struck`: how many calls were made to fail so far. */
export async function strike(
  pid: number,
  fault: Fault,
  files: readonly string[],
  { after }: Pick<RunOptions, 'after'>,
): Promise<{ struck(): number; lift(): Promise<void> }> {
  const strace = spawn('strace', ['-f', '-p', String(pid), ...rules(fault, files)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  const attached = Promise.withResolvers<void>()
  strace.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text
    // Said once for all threads.
    if (/Process \d+ attached/.test(told)) attached.resolve()
  })
  const gone = once(strace, 'exit')
  void gone.then(() => attached.reject(new Error(`strace cannot attach: ${told.slice(0, 500)}`)))
  attached.promise.catch(() => undefined)
  const lift = async () => {
    strace.kill('SIGINT')
    await gone
  }
  after(lift)
  await attached.promise
  return { struck: () => told.split('(INJECTED)').length - 1, lift }
}

/** Why there is no disk of our own to fill here, or nothing. */
export async function whyNoTinyDisk(): Promise<string | undefined> {
  if (process.platform !== 'linux' || !isRoot()) return 'filling a disk of its own takes Linux and root'
  return (await works('unshare', '--mount', 'true')) ? undefined : 'this machine lets nobody mount a disk of its own'
}

/** The command line under which a process finds an empty disk of so many MiB in place of a folder, and nobody else does. */
export const onTinyDisk = (folder: string, mib: number): string[] => [
  ...['unshare', '--mount', 'sh', '-c'],
  `mount -t tmpfs -o size=${mib}m ringfence "$0" && exec "$@"`,
  folder,
]

/** That folder, as others reach it. */
export const tinyDiskOf = (pid: number, folder: string) => `/proc/${pid}/root${folder}`
