// Where does a version number stand? Writes a new one into every package, the lock file, and the files of deploy/.

import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import rootPackage from '../../package.json' with { type: 'json' }
import { root } from './server-bundle.ts'

/** Files with the version. The React Native wrapper has that of the iOS SDK. */
export const versionedFiles = (): string[] =>
  globSync(['package.json', '{*,examples/*}/package.json', 'deploy/**/*.yaml'], {
    cwd: root,
    exclude: ['node_modules', 'react-native', 'deploy/helm/*/templates'],
  }).toSorted()

/** Replaces the version of a package, of a reference to one of ours, of an image and of a chart. */
export function withVersion(text: string, from: string, to: string): string {
  const place = /("version": "|"@ringfence\/\w+": "|\bringfence:|^(?:appV|v)ersion: )/.source
  return text.replaceAll(new RegExp(`${place}${RegExp.escape(from)}(?![\\w.-])`, 'gm'), `$1${to}`)
}

export async function setVersion(version: string): Promise<void> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is not a version such as 0.2.0`)
  for (const file of versionedFiles()) {
    const path = join(root, file)
    await writeFile(path, withVersion(await readFile(path, 'utf8'), rootPackage.version, version))
  }
  await promisify(execFile)('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root })
}
