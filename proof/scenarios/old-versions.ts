// Does Debian still offer the version before the installed one? Then it is unpacked next to it.

import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface OldVersion {
  /** Major version. */
  readonly version: number
  readonly command: string
}

export interface OldVersions {
  readonly chromium?: OldVersion
  readonly firefox?: OldVersion
  remove(): Promise<void>
}

/** Packages by browser; the first one has the browser's version. Their files are unpacked into a separate folder. */
const packages = {
  chromium: { names: ['chromium', 'chromium-common'], command: 'usr/lib/chromium/chromium' },
  firefox: { names: ['firefox-esr'], command: 'usr/lib/firefox-esr/firefox-esr' },
} as const

/** Asks apt for older versions and unpacks them; `say` gets the reason when one is not available. */
export async function unpackOldVersions(say: (line: string) => void): Promise<OldVersions> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-old-browsers-'))
  await chmod(folder, 0o755) // browsers run as another user
  const unpacked: { chromium?: OldVersion; firefox?: OldVersion } = {}
  for (const name of ['chromium', 'firefox'] as const) {
    try {
      unpacked[name] = await unpack(name, join(folder, name))
    } catch (error) {
      say(`No older ${name}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  return { ...unpacked, remove: () => rm(folder, { recursive: true, force: true }) }
}

async function unpack(name: keyof typeof packages, folder: string): Promise<OldVersion> {
  const { names, command } = packages[name]
  const { stdout } = await run('apt-cache', ['madison', names[0]])
  const versions = [...stdout.matchAll(/\| *(\S+) *\|/g)].map(([, version]) => version!)
  const majorOf = (version: string) => Number.parseInt(version.replace(/^\d+:/, ''), 10)
  const newest = Math.max(...versions.map(majorOf))
  const older = versions.find((version) => majorOf(version) < newest)
  if (older === undefined) throw new Error(`apt knows no version of ${names[0]} before ${newest}`)
  await mkdir(folder)
  await run('apt-get', ['download', ...names.map((its) => `${its}=${older}`)], { cwd: folder })
  const { stdout: archives } = await run('find', [folder, '-name', '*.deb'])
  for (const archive of archives.trim().split('\n')) await run('dpkg-deb', ['-x', archive, folder])
  return { version: majorOf(older), command: join(folder, command) }
}
