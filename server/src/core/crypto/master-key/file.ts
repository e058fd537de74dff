// Provider `file`: the master key is in a file that only its owner may read, one key per line, the newest first.

import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { lockFile } from '../../files/lock-file.ts'
import { syncFolder } from '../../files/sync-folder.ts'
import { idOfKey, keysIn, localKeys } from './local-keys.ts'
import type { MasterKeyProvider } from './provider.ts'

/** Each previous key has its own file, named by the id that messages give when a store needs the key. */
const retiredEnding = '.previous-'
const lockWaitMs = 10_000

/** The file need not exist yet. */
export function keyFile(path: string): MasterKeyProvider {
  const keys = async () => (existsSync(path) ? keysOfFile(path) : [])
  return localKeys(
    path,
    keys,
    {
      async create() {
        explained(path, () => {
          mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
          place(path, [newKey()], linkSync)
        })
      },
      async add() {
        alone(path, () => {
          const before = keysOfFile(path)
          explained(path, () => place(path, [newKey(), ...before], renameSync))
        })
      },
      async retire(used) {
        return alone(path, () => {
          const keys = keysOfFile(path)
          const kept = keys.find((key) => idOfKey(key) === used)
          const others = keys.filter((key) => key !== kept)
          if (!kept || others.length === 0) return undefined
          const besides = others.map((key) => `${path}${retiredEnding}${idOfKey(key)}`)
          explained(path, () => {
            for (const [i, key] of others.entries()) place(besides[i]!, [key], linkSync, path)
            place(path, [kept], renameSync)
          })
          return besides[0]
        })
      },
    },
    () => retiredKeys(path),
  )
}

/** Another store that uses this file, or an old backup, goes on with the key that a rotation replaced. */
async function retiredKeys(path: string): Promise<Uint8Array[]> {
  const names = existsSync(dirname(path)) ? readdirSync(dirname(path)) : []
  const beside = names.filter((name) => name.startsWith(`${basename(path)}${retiredEnding}`))
  return beside.flatMap((name) => keysOfFile(join(dirname(path), name)))
}

const newKey = () => new Uint8Array(randomBytes(32))

function keysOfFile(path: string): Uint8Array[] {
  refuseReadable(path)
  return keysIn(readFileSync(path, 'utf8'), path)
}

/**
 * Refuses a key that other users of the machine can read. A group may read a file of root, since that is how Kubernetes and systemd
 * hand over secrets.
 */
function refuseReadable(path: string): void {
  const { mode, uid } = statSync(path)
  if ((mode & 0o007) === 0 && ((mode & 0o070) === 0 || uid === 0)) return
  const shown = (mode & 0o777).toString(8).padStart(4, '0')
  throw new Error(`${path} has mode ${shown}, so other users can read the master key: run chmod 600 ${path}`)
}

/** Of two rotations at the same time, each would otherwise write the file without the key that the other one has just made. */
function alone<T>(path: string, work: () => T): T {
  const unlock = explained(path, () => {
    const lock = `${path}.lock`
    const locked = lockFile(lock, lockWaitMs)
    if (process.getuid?.() === 0) chownSync(lock, statSync(path).uid, statSync(path).gid)
    return locked
  })
  if (!unlock) throw new Error(`another process changes ${path}: try again when it has finished`)
  try {
    return work()
  } finally {
    unlock()
  }
}

/**
 * The file appears complete or not at all, and is on disk before anything is sealed under its key. Root gives it the owner and mode of
 * `like`, since the service may run as another user.
 */
function place(path: string, keys: readonly Uint8Array[], move: (from: string, to: string) => void, like = path): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const lines = keys.map((key) => `${Buffer.from(key).toString('base64')}\n`)
  writeFileSync(draft, lines.join(''), { flag: 'wx', mode: 0o600, flush: true })
  try {
    const before = process.getuid?.() === 0 ? statSync(like, { throwIfNoEntry: false }) : undefined
    if (before) {
      chmodSync(draft, before.mode & 0o777)
      chownSync(draft, before.uid, before.gid)
    }
    move(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(path))
}

function explained<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(
      `cannot write the master key ${path} (${code}): name a file in a folder that this user can write with MASTER_KEY_FILE, or set MASTER_KEY`,
      { cause },
    )
  }
}
