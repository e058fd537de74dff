// Which facts make a report complete? What the server reads as `incomplete`, from the tables that it decides by.

import type { DevicePlatform } from '@ringfence/contract'
import { drawn, ofEngine, owed } from '@ringfence/server/device/analysis/owed-facts.ts'
import { factParts } from '@ringfence/server/device/analysis/whole-facts.ts'
import { idFactsOf } from '@ringfence/server/device/identity/phone-ids.ts'
import { code, table } from './markdown.ts'

const platforms = ['WEB', 'IOS', 'ANDROID'] as const

const partsOf = (platform: DevicePlatform, name: string): readonly string[] =>
  (factParts[platform] as Readonly<Record<string, readonly string[]>>)[name] ?? []

/** `storage` (`localStorage`, `indexedDB`). */
const withParts = (platform: DevicePlatform) => (name: string) => {
  const parts = partsOf(platform, name)
  return parts.length === 0 ? code(name) : `${code(name)} (${parts.map((part) => code(part)).join(', ')})`
}

export function completeReportSection(): string[] {
  const names = (list: readonly string[]) => list.map((name) => code(name)).join(', ')
  const rows = platforms.map((platform) => {
    const { most, each }: { most: readonly string[]; each: readonly string[] } = owed[platform]
    const always = each.map(withParts(platform))
    const chromium = platform === 'WEB' ? ofEngine.chromium.map((name) => `${withParts('WEB')(name)} in Chromium`) : []
    return [platform, [...always, ...chromium].join(', '), names(idFactsOf(platform)), names(most)]
  })
  const others = platforms.flatMap((platform) => {
    const always: readonly string[] = [...owed[platform].each, ...(platform === 'WEB' ? ofEngine.chromium : [])]
    const rest = Object.keys(factParts[platform]).filter((name) => !always.includes(name))
    return rest.length === 0 ? [] : [[platform, rest.map(withParts(platform)).join(', ')]]
  })
  return [
    '## Facts of a complete report\n',
    `A report without these facts is \`incomplete\`: by default, a decision is a \`CHALLENGE\`. \`missing[].facts\` of the decision names what is missing, and so does the signal \`missingFacts\` of a
report with [\`"include": ["signals"]\`](../guides/device-report.md#ask-why). A fact counts only with all parts in brackets. What the app's setting [\`collect\`](configuration.md#apps) switches off
is not missing.\n`,
    table(['platform', 'each of these', 'one of these', 'half of these'], rows),
    `A page's report is also incomplete while \`bot\` or \`tampering\` cannot answer for lack of a fact that every browser has: ${names(drawn)}, or one of the last
column. A fact that came too late is excused.\n`,
    'Other facts can be absent. One that is, or that lacks one of these parts, leaves its signals unknown:\n',
    table(['platform', 'facts with their parts'], others),
  ]
}
