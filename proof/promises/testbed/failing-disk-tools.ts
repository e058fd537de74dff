// How does a program make a disk fail? The kernel answers system calls of a running process with an error, or the disk is full.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { whyMissing } from '../../../scripts/debian-packages.ts'
import type { RunOptions } from '../promise.ts'

const run = promisify(execFile)
const isRoot = () => process.getuid?.() === 0

/** Why this machine cannot make system calls fail; undefined when it can. Installs strace where that is allowed. */
export async function whyNoStrace(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'making system calls fail needs Linux'
  const advice = await whyMissing(() => works('strace', '--version'), 'strace')
  return advice && `making system calls fail needs strace: ${advice}`
}

async function works(program: string, ...args: readonly string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  )
}

/** Which calls fail, with which error, and when: "3" is the third of each thread, "3+" that and all later ones, "1+" all. */
export interface Fault {
  calls: readonly ('pwrite64' | 'fsync' | 'fdatasync')[]
  error: 'EIO' | 'ENOSPC'
  when: string
}

const rules = ({ calls, error, when }: Fault, files: readonly string[]): string[] => [
  ...files.flatMap((file) => ['-P', file]),
  ...['-e', 'trace=pwrite64,fsync,fdatasync', '-e', `inject=${calls.join()}:error=${error}:when=${when}`],
]

/** The command line that starts a process with the fault in place. */
export const underFault = (fault: Fault, files: readonly string[], log: string): string[] => [
  'strace',
  '-f',
  '-o',
  log,
  ...rules(fault, files),
]

export interface Strike {
  /** The number of failed calls so far. */
  struck(): number
  /** Of these, syncs of a log that had nothing to sync: a checkpoint syncs the log again before it copies it. */
  struckInCheckpoints(): number
  lift(): Promise<void>
}

/** Applies the fault to these files of a running process until `lift`. */
export async function strike(
  pid: number,
  fault: Fault,
  files: readonly string[],
  { after }: Pick<RunOptions, 'after'>,
): Promise<Strike> {
  const strace = spawn('strace', ['-f', '-p', String(pid), ...rules(fault, files)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  const attached = Promise.withResolvers<void>()
  strace.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text
    // strace prints this once for all threads.
    if (/Process \d+ attached/.test(told)) attached.resolve()
  })
  // All that it wrote has been read, too.
  const gone = once(strace, 'close')
  void gone.then(() => attached.reject(new Error(`strace cannot attach: ${told.slice(0, 500)}`)))
  attached.promise.catch(() => undefined)
  const lift = async () => {
    strace.kill('SIGINT')
    await gone
  }
  after(lift)
  await attached.promise
  return {
    struck: () => told.split('(INJECTED)').length - 1,
    struckInCheckpoints: () => idleSyncs(told),
    lift,
  }
}

/** How many syncs failed while everything that was written had been synced. No request is in flight when strace attaches. */
function idleSyncs(told: string): number {
  let idle = 0
  let isSynced = true
  for (const line of told.split('\n')) {
    if (line.includes('pwrite64')) isSynced = false
    else if (!/f(data)?sync/.test(line) || line.includes('<unfinished')) continue
    else if (!line.includes('(INJECTED)')) isSynced = true
    else if (isSynced) idle++
  }
  return idle
}

/** Why this machine cannot fill a separate disk; undefined when it can. */
export async function whyNoTinyDisk(): Promise<string | undefined> {
  if (process.platform !== 'linux' || !isRoot()) return 'filling a separate disk needs Linux and root'
  return (await works('unshare', '--mount', 'true'))
    ? undefined
    : 'this machine does not allow mounting a separate disk'
}

/** The command line that starts a process which sees an empty disk of `mib` MiB in place of a folder; no other process does. */
export const onTinyDisk = (folder: string, mib: number): string[] => [
  ...['unshare', '--mount', 'sh', '-c'],
  `mount -t tmpfs -o size=${mib}m ringfence "$0" && exec "$@"`,
  folder,
]

/** The path of that folder for other processes. */
export const tinyDiskOf = (pid: number, folder: string) => `/proc/${pid}/root${folder}`
