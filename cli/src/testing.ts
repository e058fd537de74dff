// How does a test run the command? In a temporary folder, in the test's own process or in another one; all end with the test.

import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { settlesWithin } from '@ringfence/server/testing/settles.ts'
import { calledHere, type Finished } from './testing/called-here.ts'

export const program = fileURLToPath(new URL('../bin/ringfence.js', import.meta.url))

/** A Node of this machine that is too old for the command itself, and new enough for its first file. */
export const olderNode = findOlderNode()

/** The part of a test's or suite's context that is used: `t`, or `{ after }` of node:test in a suite. */
export interface Ending {
  after(end: () => unknown): void
}

export interface ServiceProcess {
  url: string
  /** The output so far. */
  readonly stdout: string
  readonly stderr: string
  signal(signal: NodeJS.Signals): void
  /** Stops the process and waits for its end; throws after ten seconds. */
  stop(signal: NodeJS.Signals): Promise<Finished>
}

export interface CommandLine {
  /**
   * Runs a command in the folder and waits for its end. The first time that a test process runs it, this starts the real program;
   * then it calls the command in the test process, which takes a tenth of the time.
   */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>
  /** Starts `serve --create` on a free port and waits until it listens. Throws with its output when it ends before. */
  serve(args?: readonly string[], options?: RunOptions): Promise<ServiceProcess>
  /** Working folder of all commands. */
  folder: string
}

export interface RunOptions {
  env?: Record<string, string>
  /** The Node that starts the command, if not the test's own. */
  node?: string
  /** Of `serve`: false leaves out --create. */
  create?: boolean
  /** Of `serve --sandbox`: makes the demo traffic, which takes a minute. */
  demo?: true
}

/** A command line in a new folder, without settings from the environment. `installed` is the command of a release. */
export async function commandLine(ending: Ending, installed?: string): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-cli-'))
  const running = new Set<ChildProcess>()
  ending.after(async () => {
    await Promise.all([...running].map(end))
    await rm(folder, { recursive: true, force: true })
  })

  function start(args: readonly string[], options: RunOptions = {}) {
    const { node = process.execPath } = options
    const [file, words] = installed === undefined ? [node, [program, ...args]] : [installed, args]
    const child = spawn(file, words, {
      cwd: folder,
      env: environmentIn(folder, options),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a separate process group, so that child processes end with it
    })
    running.add(child)
    const written = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        written[name] += text
      })
    }
    const finished = once(child, 'close').then(([code]): Finished => {
      running.delete(child)
      return { code, ...written }
    })
    return { child, written, finished }
  }

  return {
    folder,
    run(args, options = {}) {
      const isForNewProcess = options.node !== undefined || Object.keys(options.env ?? {}).some(isOfNode)
      const isHere = installed === undefined && !isForNewProcess && wasStarted(args)
      return isHere ? calledHere({ args, folder, env: environmentIn(folder, options) }) : start(args, options).finished
    },
    async serve(args = [], options = {}) {
      const { child, written, finished } = start(
        [
          'serve',
          ...(options.create === false ? [] : ['--create']),
          '--port',
          '0',
          ...withoutDemo(args, options),
          ...args,
        ],
        options,
      )
      const url = new Promise<string>((resolve) => {
        child.stdout.on('data', () => {
          const line = /^Ringfence listens at ([^\s,]+).*\n/.exec(written.stdout)
          if (line?.[1]) resolve(line[1])
        })
      })
      const ended = finished.then(({ code, stderr }) => {
        throw new Error(`serve ended with ${code}: ${stderr}`)
      })
      ended.catch(() => undefined)
      return {
        url: await Promise.race([url, ended]),
        get stdout() {
          return written.stdout
        },
        get stderr() {
          return written.stderr
        },
        signal: (signal) => void child.kill(signal),
        async stop(signal) {
          child.kill(signal)
          return settlesWithin(10_000, finished)
        },
      }
    },
  }
}

/** The environment of a command whose process runs a module first. */
export const withModule = (text: string) => ({
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(text)}`,
})

/** A Node reads them when it starts. */
const isOfNode = (variable: string): boolean => variable.startsWith('NODE_')

const startedCommands = new Set<string>()

/** `serve` always starts, since it ends by a signal. */
function wasStarted(args: readonly string[]): boolean {
  const [group = '', name = ''] = args
  const command = /^[a-z][a-z-]+$/.test(name) ? `${group} ${name}` : group
  const wasStarted = startedCommands.has(command)
  startedCommands.add(command)
  return wasStarted && group !== 'serve'
}

const environmentIn = (folder: string, { env = {} }: RunOptions) => ({
  PATH: process.env.PATH,
  HOME: folder,
  ...masterKeyIn(env.HOME ?? folder, env),
  ...env,
})

const withoutDemo = (args: readonly string[], { demo }: RunOptions) =>
  args.includes('--sandbox') && !demo ? ['--no-demo'] : []

/** The default place of a user, named: otherwise a master key of this machine (/etc/ringfence) would open the store of a test. */
const masterKeyIn = (home: string, env: Readonly<Record<string, string>>) =>
  Object.keys(env).some((name) => name.startsWith('MASTER_KEY'))
    ? {}
    : { MASTER_KEY_FILE: join(home, '.config', 'ringfence', 'master.key') }

/** The lines that a shell prints with its own mounts, where `ringfence` is the command and prints its exit code. */
export async function withMounts(folder: string, script: string, env: Record<string, string> = {}): Promise<string[]> {
  const command = `ringfence() { "${process.execPath}" "${program}" "$@" 2>&1 >/dev/null; echo "code $?"; }`
  const { stdout } = await promisify(execFile)('unshare', ['--mount', 'sh', '-c', `${command}\n${script}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  })
  return stdout.trim().split('\n')
}

/** A failure as a user must see it: one line on stderr that says what to do, no stack, and nothing on stdout. */
export function assertFailed({ code, stdout, stderr }: Finished, line: RegExp, exitCode = 1): void {
  assert.match(stderr, line)
  assert.match(stderr, /^ringfence: [^\n]+\n$/)
  assert.equal(stdout, '')
  assert.equal(code, exitCode)
}

/** A complete file of ported numbers in the Netherlands. */
export const portedNumbers = (rows: readonly string[]) => `# ringfence: ported-numbers 1
# source: nl
# calling-code: 31
# as-of: 2024-03-02
# contents: full
# complete: 316
number,operator,ported-on,action
${rows.map((row) => `${row}\n`).join('')}# rows: ${rows.length}
`

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  const closed = once(child, 'close')
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // the process has just ended
  }
  await closed
}

function findOlderNode(): string | undefined {
  const folders = ['/usr/local/bin', '/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  return folders
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((path) => {
      try {
        const [major = ''] = execFileSync(path, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).slice(1).split('.')
        return Number(major) >= 18 && Number(major) < 24
      } catch {
        return false
      }
    })
}
