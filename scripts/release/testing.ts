// How do tests get a release? They share one build, without Node: two thirds of the bytes that say nothing about Ringfence.

import { delimiter, dirname } from 'node:path'
import { buildRelease } from './build.ts'
import { releaseSource } from './source.ts'

export const source = await releaseSource({ allowDirty: true })

let built: Promise<Map<string, Buffer>> | undefined

/** The files of the release by name. */
export const builtRelease = (): Promise<Map<string, Buffer>> => (built ??= buildRelease(source, { withNode: false }))

/** The environment of a user: no settings of this repository's npm, this Node on the path, and no registry to reach. */
export const userEnvironment = (home: string): NodeJS.ProcessEnv => ({
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: home,
  npm_config_registry: 'http://127.0.0.1:9/',
})

/** Options of npm for an installation from local files. */
export const offline = ['--offline', '--no-audit', '--no-fund', '--silent'] as const
