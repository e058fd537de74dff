// What is one node of a Patroni cluster? Its two programs, which the programs can kill, pause and start again.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { User } from '../../../server/src/testing/postgres-binaries.ts'

interface Member {
  name: string
  role: string
  state: string
}

/** One node: Patroni and its PostgreSQL. */
export class Node {
  readonly name: string
  readonly port: number
  readonly restPort: number
  readonly #folder: string
  readonly #user: User
  #patroni: ChildProcess | undefined

  constructor(name: string, folder: string, ports: { port: number; restPort: number }, user: User) {
    this.name = name
    this.port = ports.port
    this.restPort = ports.restPort
    this.#folder = folder
    this.#user = user
  }

  start(): void {
    this.#patroni = daemon(
      '/usr/bin/patroni',
      [join(this.#folder, `${this.name}.yml`)],
      this.#folder,
      this.name,
      this.#user,
    )
  }

  /** Ends all at once, as when the machine loses its power. */
  async kill(): Promise<void> {
    for (const pid of this.#processes()) signal(pid, 'SIGKILL')
    await gone(this.#patroni)
  }

  /** Only PostgreSQL ends; Patroni decides what follows. */
  killPostgres(): void {
    const postmaster = this.#postmaster()
    if (postmaster !== undefined) for (const pid of treeOf(postmaster)) signal(pid, 'SIGKILL')
  }

  /** Stops all processes of the node, as a machine that hangs. */
  pause(isPaused: boolean): void {
    for (const pid of this.#processes()) signal(pid, isPaused ? 'SIGSTOP' : 'SIGCONT')
  }

  async cluster(): Promise<Member[]> {
    const response = await fetch(`http://127.0.0.1:${this.restPort}/cluster`, { signal: AbortSignal.timeout(1_000) })
    return ((await response.json()) as { members: Member[] }).members
  }

  async post(path: string, body: object): Promise<void> {
    const url = `http://127.0.0.1:${this.restPort}${path}`
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`Patroni answers ${path} with ${response.status}: ${await response.text()}`)
  }

  #postmaster(): number | undefined {
    const file = join(this.#folder, this.name, 'postmaster.pid')
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n', 1)[0]) : undefined
  }

  #processes(): number[] {
    const roots = [this.#patroni?.pid, this.#postmaster()].filter((pid) => pid !== undefined)
    return [...new Set(roots.flatMap(treeOf))]
  }
}

/** Its process id is in a file, for the guard. */
export function daemon(
  program: string,
  args: readonly string[],
  folder: string,
  name: string,
  user: User,
): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const script = 'echo $$ > "$0" && exec "$@"'
  const child = spawn('/bin/sh', ['-c', script, join(folder, `${name}.pid`), program, ...args], {
    ...user,
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8', ETCD_ENABLE_V2: 'false' },
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.unref()
  return child
}

export async function gone(child: ChildProcess | undefined): Promise<void> {
  if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended
  }
}

/** A process and all that it started, the children first. */
function treeOf(root: number): number[] {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const text = readFileSync(`/proc/${entry}/stat`, 'utf8')
      parents.set(Number(entry), Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // it has ended
    }
  }
  const below = (pid: number): number[] => [
    ...[...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => below(child)),
    pid,
  ]
  return below(root)
}
