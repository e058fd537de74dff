// Is a program there that a test needs, or can it be installed? On Debian as root, with apt-get.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A folder of apt, over which test files take turns. */
const turns = '/var/lib/apt'

/**
 * Installs Debian packages unless `isThere`, which is asked while no other test file installs: the files of a package are there
 * before it works. Returns undefined on success, else the command that a person can run, with the reason.
 */
export async function whyMissing(
  isThere: () => boolean | Promise<boolean>,
  ...packages: readonly string[]
): Promise<string | undefined> {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall) await run('flock', ['--shared', turns, 'true'])
  if (await isThere()) return undefined
  return mayInstall ? whyNotInstalled(packages) : adviceFor(packages)
}

const adviceFor = (packages: readonly string[]) => `apt-get install ${packages.join(' ')}`

async function whyNotInstalled(packages: readonly string[]): Promise<string | undefined> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 1 << 26 }
  // An update does not wait for another one. A server that a package starts must not keep the lock: so apt-get does not inherit it.
  const aptGet = (...words: string[]) =>
    run('flock', ['--close', turns, 'apt-get', '-qy', '-o', 'DPkg::Lock::Timeout=300', ...words], options)
  try {
    await aptGet('update')
    await aptGet('install', '--no-install-recommends', ...packages)
    return undefined
  } catch (error) {
    return `${adviceFor(packages)} (failed: ${(error as Error).message.split('\n', 1)[0]})`
  }
}
