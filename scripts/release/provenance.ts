// From what was the release made, and how? An in-toto statement with SLSA provenance, which a signing tool can wrap.

import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './server-bundle.ts'
import type { Source } from './source.ts'

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** `files` by name. Times of the run are left out, so that the same commit gives the same statement. */
export async function provenanceOf(files: ReadonlyMap<string, Uint8Array>, source: Source): Promise<string> {
  const isWithAndroid = [...files.keys()].some((name) => name.startsWith('ringfence-android-'))
  const locks = [
    'package-lock.json',
    ...(isWithAndroid
      ? globSync('android/{,*/}pom.xml', { cwd: root, exclude: ['android/golden/**'] }).toSorted()
      : []),
  ]
  const dependencies = locks.map(async (name) => ({
    name,
    digest: { sha256: sha256(await readFile(join(root, name))) },
  }))
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...files].map(([name, bytes]) => ({ name, digest: { sha256: sha256(bytes) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:ringfence:npm-run-release:v1',
        externalParameters: { version: source.version, uncommittedChanges: source.isDirty },
        internalParameters: { platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: source.commit } },
          ...(await Promise.all(dependencies)),
        ],
      },
      runDetails: { builder: { id: 'urn:ringfence:npm-run-release', version: { node: process.versions.node } } },
    },
  }
  return `${JSON.stringify(statement, null, 2)}\n`
}
