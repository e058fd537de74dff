// What is known of numbers beside what upstreams answer: a file of ported numbers, and an ENUM zone that nsd serves.

import { hasNsd, naptr, startNsd } from '@ringfence/server/telecom/portability-sources/enum/testing.ts'

export const importedNumber = '31612345678'
export const enumNumbers = ['41791234567', '41791234568']

/** In the format of docs/guides/number-data.md. */
export const portedFile = `# ringfence: ported-numbers 1
# source: nl-ported
# calling-code: 31
# as-of: 2026-10-31
# contents: full
# complete: 316
number,operator,ported-on,action
${importedNumber},204-08,2026-03-01,port
# rows: 1
`

export interface Zone {
  /** IP address and port. */
  readonly server: string
  close(): Promise<unknown>
}

/** Undefined where nsd is not installed: it is Debian's package of that name. */
export async function startZone(): Promise<Zone | undefined> {
  if (!hasNsd()) return undefined
  const ends: (() => Promise<unknown>)[] = []
  const [ported, atHome] = enumNumbers as [string, string]
  const server = await startNsd({ after: (end) => ends.push(end) }, [
    naptr(ported, 'tel:\\1;npdi;rn=98002'),
    naptr(atHome, 'tel:\\1;npdi;spn=41079'),
  ])
  return { server, close: () => Promise.all(ends.map((end) => end())) }
}
