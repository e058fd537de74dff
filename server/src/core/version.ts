// Which version of Ringfence is this?

import { readFileSync } from 'node:fs'

/** The version of the package, for example `0.1.0`. */
export function ringfenceVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
