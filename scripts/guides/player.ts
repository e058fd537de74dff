// Can a reader with empty hands follow a page? Pastes its commands, in its order, into one shell in an empty folder.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { updateLists } from '@ringfence/server/ip/lists/update-lists.ts'
import { commandLine, program } from '../../cli/src/testing.ts'
import { type Block, blocksOf, isRun, isService, pageText } from './blocks.ts'
import { compareWithShown } from './shown.ts'

export interface Played {
  readonly run: number
  /** Why, for each. */
  readonly notRun: readonly string[]
  /** Answers that are as the page shows them. */
  readonly compared: number
}

/** A page with a command that does not end fails. */
const longestMs = 120_000

/** `npx ringfence`, without the time that npx takes to find it. */
const npx = `npx() { [ "$1" = ringfence ] || { command npx "$@"; return; }; shift; '${process.execPath}' '${program}' "$@"; }`

/** Plays a page of a clone against a new sandbox, as the README starts it. Throws when a command fails, or answers something else. */
export async function play(t: TestContext, path: string): Promise<Played> {
  const { folder, serve } = await commandLine(t)
  const service = await serve(['--sandbox'], { env: { WEBHOOK_TARGETS: 'any' } })
  await fetchedLists(folder)
  const exported = /^ {2}export [\s\S]*?[^\\]\n/m.exec(service.stdout)?.[0] ?? assert.fail(service.stdout)
  const blocks = blocksOf(pageText(path))
  const printed = await pasted(t, { folder, blocks: blocks.filter(isRun), first: `${npx}\n${exported}` })
  let compared = 0
  let run = 0
  for (const [at, block] of blocks.entries()) {
    if (!isRun(block)) continue
    const below = blocks[at + 1]
    compared += compareWithShown(block, below?.notRun === undefined ? below : undefined, printed[run++] ?? '')
  }
  const notRun = blocks.filter((block) => block.language === 'sh' && !isRun(block) && !isService(block))
  return { run, compared, notRun: notRun.map((block) => block.notRun!) }
}

/** What each block printed. A block that fails is the last one, as for a reader. */
async function pasted(
  t: TestContext,
  { folder, blocks, first }: { folder: string; blocks: readonly Block[]; first: string },
): Promise<string[]> {
  const separator = '=== next block ==='
  const script = [first, ...blocks.map(({ text }) => text)].join(
    `\necho; echo '${separator}'; echo '${separator}' >&2\n`,
  )
  await writeFile(join(folder, '.pasted'), script)
  const env = { PATH: process.env.PATH, HOME: folder, MASTER_KEY_FILE: join(folder, '.config/ringfence/master.key') }
  const shell = spawn('bash', ['-eu', '-o', 'pipefail', '.pasted'], {
    cwd: folder,
    env: { ...env, WEBHOOK_TARGETS: 'any' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // with what it started in the background
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    shell[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  }
  const limit = setTimeout(() => endGroup(shell.pid), longestMs)
  t.after(() => endGroup(shell.pid))
  const [code] = await once(shell, 'exit')
  clearTimeout(limit)
  endGroup(shell.pid)
  const printed = written.stdout.split(separator).slice(1)
  const failed = written.stderr.split(separator)
  assert.equal(code, 0, `${blocks[printed.length - 1]?.text ?? first}\nfailed:\n${failed.at(-1)}\n${printed.at(-1)}`)
  return printed
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended
  }
}

/** What `data update` fetches once a day. */
async function fetchedLists(folder: string): Promise<void> {
  await writeFile(join(folder, '.addresses'), '192.0.2.1\n')
  const { href: url } = pathToFileURL(join(folder, '.addresses'))
  const lists = { vpns: { kind: 'vpnServer', url }, relays: { kind: 'relay', url } } as const
  await updateLists({ dataFolder: join(folder, 'ringfence-data'), lists, now: Date.now() })
}
