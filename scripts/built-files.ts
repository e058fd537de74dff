// How are files built that another process may be reading? Those that stay the same are not touched, the others are replaced as a whole.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Fills a folder, created if missing, with these files by path and nothing else. */
export function fillFolder(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) writeBuilt(join(folder, path), content)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const wanted = Object.keys(files)
  const isWanted = (name: string) => wanted.some((path) => path === name || path.startsWith(`${name}/`))
  for (const name of names) {
    if (!isWanted(name) && !isBeingWritten(name)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** Writes a file, unless it has this content. */
export function writeBuilt(path: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content)
  if (contentOf(path)?.equals(bytes)) return
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = `${path}.unfinished-${process.pid}`
  writeFileSync(unfinished, bytes)
  renameSync(unfinished, path)
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** By another process; not what one left that was killed. */
function isBeingWritten(name: string): boolean {
  const [, pid] = /\.unfinished-(\d+)$/.exec(name) ?? []
  if (pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
