// Where does a release go? Its files, from the tree that this module is in, into a folder: node scripts/release/write.ts FOLDER

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { androidTarball, missingForAndroid } from './android-package.ts'
import { buildRelease } from './build.ts'
import { releaseSource, type Source } from './source.ts'

/** Replaces the folder. */
export async function writeRelease(source: Source, folder: string): Promise<void> {
  const reason = missingForAndroid()
  if (reason) console.log(`The Android SDK is left out: ${reason}.`)
  const files = await buildRelease(source, reason ? {} : { android: await androidTarball(source.committedAt) })
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const [name, bytes] of files) {
    await writeFile(join(folder, name), bytes)
    console.log(`release/${name}`.padEnd(44), `${(bytes.length / 1e6).toFixed(1).padStart(6)} MB`)
  }
}

if (import.meta.main) await writeRelease(await releaseSource({ allowDirty: false }), process.argv[2]!)
