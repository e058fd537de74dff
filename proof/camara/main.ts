// How much of CAMARA's own scenarios does our CAMARA API fulfil? npm run camara -- FOLDER… [--write]

import { parseArgs } from 'node:util'
import { phoneService } from '../../server/src/camara-front/testing/phone-client.ts'
import type { Ending } from '../../server/src/testing/at-end.ts'
import { sqliteDatabases } from '../../server/src/testing/databases.ts'
import { type Feature, readFeatures } from './feature-files.ts'
import { playFeature } from './play.ts'
import { type Played, summary, writeTable } from './table.ts'

const usage = `Plays the feature files of CAMARA repositories against our CAMARA API, with the sandbox behind it.

npm run camara -- FOLDER…            a folder for each release: a clone, or its folder code/
npm run camara -- FOLDER… --write    writes the result into docs/reference/camara-api.md too`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})
if (values.help || positionals.length === 0) {
  console.log(usage)
  process.exit(values.help ? 0 : 2)
}

const features = positionals.flatMap((folder) => {
  const found = readFeatures(folder)
  if (found.length === 0) throw new Error(`${folder} has no feature files`)
  return found
})
const played: Played[] = []
for (const feature of features) played.push(await playOne(feature))
console.log(summary(played))
if (values.write) writeTable(played)
if (played.some(({ results }) => results.some(({ outcome }) => outcome === 'failed'))) process.exitCode = 1

async function playOne(feature: Feature): Promise<Played> {
  const works: (() => unknown)[] = []
  const run: Ending = { after: (work: unknown) => void works.push(work as () => unknown) }
  const service = await phoneService(run, await sqliteDatabases.open(run))
  try {
    return { feature, ...(await playFeature(feature, service)) }
  } finally {
    for (const work of works.toReversed()) await work()
  }
}
