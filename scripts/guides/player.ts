// Can a reader with empty hands follow a page? Pastes its commands, in its order, into one shell in an empty folder.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { updateLists } from '@ringfence/server/ip/lists/update-lists.ts'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { program } from '../../cli/src/testing.ts'
import { builtRelease } from '../release/testing.ts'
import { type Block, blocksOf, isCommand, isOperator, isRun, isService, pageText } from './blocks.ts'
import { compareWithShown } from './shown.ts'

export interface Played {
  readonly run: number
  /** Why, for each. */
  readonly notRun: readonly string[]
  /** Answers that are as the page shows them. */
  readonly compared: number
}

/** A page with a command that does not end fails. */
const longestMs = 300_000
const separator = '=== next block ==='

/** `npx ringfence` of the clone, without the time that npx takes to find it. */
const cloned = `npx() { [ "$1" = ringfence ] || { command npx "$@"; return; }; shift; '${process.execPath}' '${program}' "$@"; }`

/** Nothing of this machine is read or written. */
const ofAnotherMachine = /\/var\/lib\/|\/etc\/|\/opt\/|\b(sudo|systemctl|docker|podman|kubectl) /

/** A second terminal runs the service. The first gets the export command that it prints. Without a sandbox, it has the port of PORT. */
const inSecondTerminal = (command: string) => `
{ ${command.replace(/--sandbox$/, '$& --no-demo --port 0')}
} > .service.log 2>&1 &
until grep -q 'listens at' .service.log; do kill -0 $! || { cat .service.log >&2; exit 1; }; sleep 0.1; done
eval "$(sed -n '/^  export/,/[^\\\\]$/p' .service.log)"`

const sandbox = 'WEBHOOK_TARGETS=any npx ringfence serve --sandbox'

const root = join(import.meta.dirname, '../..')

/** Another terminal, in the clone, runs the sandbox operator alone. */
const operator = ({ text }: Block, port: number) => `
'${process.execPath}' '${root}/sandbox/src/main.ts' --port ${port} ${/ -- (.*)/.exec(text)?.[1] ?? ''} > .operator.log 2>&1 &
until grep -q 'operator at' .operator.log; do kill -0 $! || { cat .operator.log >&2; exit 1; }; sleep 0.1; done`

/**
 * Plays a page in a new folder. Where the page does not start a service itself, the README has: `npm start`.
 *
 * @param passes how often the reader pastes all of it, one after the other into the same shell
 * @throws when a command fails, or answers something else
 */
export async function play(t: TestContext, path: string, passes = 1): Promise<Played> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-guide-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const blocks = blocksOf(pageText(path))
  const commands = blocks.filter(isRun)
  for (const { text } of commands)
    assert.doesNotMatch(text, ofAnotherMachine, 'mark it: <!-- not run: a production host -->')
  const isFromRelease = commands.some(({ text }) => text.includes('../release/'))
  if (isFromRelease) await release(folder)
  else await clone(folder)
  const [operatorPort = 0] = await freePorts(1)
  const script = commands.map((block) => {
    if (isOperator(block)) return operator(block, operatorPort)
    return isService(block) ? inSecondTerminal(block.text.trim()) : block.text
  })
  const again = commands.filter((block) => !isService(block) && !isOperator(block)).map(({ text }) => text)
  const isStarted = commands.some((block) => isService(block) || isOperator(block))
  const first = `${isFromRelease ? '' : cloned}\n${isStarted ? '' : inSecondTerminal(sandbox)}`
  const repeated = Array.from({ length: passes - 1 }, () => again).flat()
  const parts = [first, ...script, ...repeated].map((text) => text.replaceAll(':9091', `:${operatorPort}`))
  const printed = await pasted(t, folder, parts)
  let compared = 0
  for (const [at, block] of blocks.entries()) {
    const own = commands.indexOf(block)
    if (own < 0) continue
    const below = blocks[at + 1]
    compared += compareWithShown(block, below?.notRun === undefined ? below : undefined, printed[own + 1] ?? '')
  }
  const notRun = blocks.filter(isCommand).flatMap(({ notRun }) => notRun ?? [])
  return { run: commands.length, compared, notRun }
}

/** What each part of the script printed. One that fails is the last, as for a reader. */
async function pasted(t: TestContext, folder: string, parts: readonly string[]): Promise<string[]> {
  const between = `\necho; echo '${separator}'; echo '${separator}' >&2\n`
  await writeFile(join(folder, '.pasted'), parts.join(between))
  const shell = spawn('bash', ['-eu', '-o', 'pipefail', '.pasted'], {
    cwd: folder,
    env: await readersEnvironment(folder),
    // What it starts in the background has the fourth, so that nothing writes in the folder any more when all are closed.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true, // with what it started in the background
  })
  const closed = once(shell, 'close')
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    shell[name]!.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  }
  const limit = setTimeout(() => endGroup(shell.pid), longestMs)
  t.after(() => endGroup(shell.pid))
  const [code] = await once(shell, 'exit')
  clearTimeout(limit)
  endGroup(shell.pid)
  await closed
  const printed = written.stdout.split(separator)
  const failed = written.stderr.split(separator).at(-1)
  assert.equal(code, 0, `${parts[printed.length - 1]}\nfailed:\n${failed}\n${printed.at(-1)}`)
  return printed
}

/**
 * No settings of this machine, and no registry to reach. PORT is that of an example, where 3000 may be taken. A decision waits for the
 * operator of the sandbox, which shares a busy machine.
 */
const readersEnvironment = async (folder: string) => ({
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: folder,
  PORT: String((await freePorts(1))[0]),
  MASTER_KEY_FILE: join(folder, '.config/ringfence/master.key'),
  DECISION_DEADLINE_MS: '20000',
  npm_config_registry: 'http://127.0.0.1:9/',
})

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended
  }
}

/** The files that `npm run release` makes, in the folder of that name. */
async function release(folder: string): Promise<void> {
  await mkdir(join(folder, 'release'))
  for (const [name, content] of await builtRelease()) await writeFile(join(folder, 'release', name), content)
}

/** What a clone has after `npm ci`, and what `data update` fetches once a day. */
async function clone(folder: string): Promise<void> {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, '.addresses'), '192.0.2.1\n')
  const { href: url } = pathToFileURL(join(folder, '.addresses'))
  const lists = { vpns: { kind: 'vpnServer', url }, relays: { kind: 'relay', url } } as const
  await updateLists({ dataFolder: join(folder, 'ringfence-data'), lists, now: Date.now() })
}
