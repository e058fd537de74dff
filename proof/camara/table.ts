// How is the result shown: by API and version how many scenarios pass, differ and do not run, with each reason once?

import { readFileSync, writeFileSync } from 'node:fs'
import { table } from '../../scripts/reference/markdown.ts'
import type { Feature } from './feature-files.ts'
import type { Result } from './play.ts'

export interface Played {
  readonly feature: Feature
  readonly api: string
  readonly version: string
  readonly results: readonly Result[]
}

const page = new URL('../../docs/reference/camara-api.md', import.meta.url)
const place = /(?<=<!-- npm run camara -->\n)[\s\S]*?(?=<!-- end -->)/

const releaseOf = ({ feature, version }: Played) =>
  feature.release === 'wip' ? `main, as ${version}` : feature.release
const count = (results: readonly Result[], outcome: Result['outcome']) =>
  results.filter((result) => result.outcome === outcome).length

function rows(played: readonly Played[]): string[][] {
  const byApi = Map.groupBy(played, (one) => `${one.api} ${releaseOf(one)}`)
  return [...byApi.values()].map((group) => {
    const results = group.flatMap((one) => one.results)
    const counts = (['passed', 'differs', 'not run'] as const).map((outcome) => String(count(results, outcome)))
    return [group[0]!.api, releaseOf(group[0]!), String(results.length), ...counts]
  })
}

/** Each reason once, with the scenarios by their CAMARA ids. */
function reasons(played: readonly Played[], outcome: Result['outcome']): string[][] {
  const found = played.flatMap(({ results }) => results.filter((result) => result.outcome === outcome))
  const byReason = Map.groupBy(found, ({ why }) => why ?? '')
  return [...byReason].map(([why, results]) => {
    const ids = [...new Set(results.map(({ scenario }) => `\`${scenario.id}\``))].sort()
    return [why, String(results.length), ids.join(', ')]
  })
}

export function summary(played: readonly Played[]): string {
  const failed = played.flatMap(({ feature, results }) =>
    results.flatMap(({ scenario, outcome, why }) =>
      outcome === 'failed' ? [`FAILED ${feature.file} ${feature.release} ${scenario.id}: ${why}`] : [],
    ),
  )
  const all = played.flatMap(({ results }) => results)
  const counts = (['passed', 'differs', 'not run', 'failed'] as const).map(
    (outcome) => `${count(all, outcome)} ${outcome}`,
  )
  return [markdown(played), ...failed, `${all.length} scenarios: ${counts.join(', ')}`].join('\n')
}

const markdown = (played: readonly Played[]): string =>
  [
    table(['API', 'version', 'scenarios', 'passed', 'differ', 'not run'], rows(played)),
    table(['differs, because', 'scenarios', 'ids'], reasons(played, 'differs')),
    table(['not run, because', 'scenarios', 'ids'], reasons(played, 'not run')),
  ].join('\n')

export function writeTable(played: readonly Played[]): void {
  const text = readFileSync(page, 'utf8')
  if (!place.test(text)) throw new Error('docs/reference/camara-api.md has no place for the result')
  writeFileSync(
    page,
    text.replace(place, () => `${markdown(played)}\n`),
  )
}
