// Can a program that a test needs be installed here? On Debian as root, with apt-get.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Installs Debian packages. Returns undefined on success, else the command that a person can run, with the reason. */
export async function whyNotInstalled(...packages: readonly string[]): Promise<string | undefined> {
  const advice = `apt-get install ${packages.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return advice
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 1 << 26 }
  // Two test files install at once, and an update does not wait for another one: so one takes turns over a folder of apt.
  const aptGet = (...words: string[]) =>
    run('flock', ['/var/lib/apt', 'apt-get', '-qy', '-o', 'DPkg::Lock::Timeout=300', ...words], options)
  try {
    await aptGet('update')
    await aptGet('install', '--no-install-recommends', ...packages)
    return undefined
  } catch (error) {
    return `${advice} (failed: ${(error as Error).message.split('\n', 1)[0]})`
  }
}
