// What did real browsers report in each scenario? Recorded by `npm run scenarios -- --record`, so that tests need no browser.

import { readdirSync, readFileSync } from 'node:fs'
import type { WebFacts } from '@ringfence/contract'
import type { Evidence } from '../analysis/evidence.ts'
import { owedFacts } from '../analysis/owed-facts.ts'

export interface Recording {
  readonly name: string
  /** Expected verdicts, by the names of proof/scenarios/scenario.ts. */
  readonly expected: Readonly<Record<string, boolean | string>>
  readonly evidence: Evidence
}

const folder = new URL('recordings/', import.meta.url)

export function recordings(): Recording[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => {
      const recording = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
      return { name: recording.name, expected: recording.expected, evidence: evidenceOf(recording) }
    })
}

/** The evidence of one recording, by the name of its scenario. */
export function recorded(name: string): Evidence {
  return evidenceOf(JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')))
}

interface RecordedSession {
  now: number
  facts: WebFacts
  /** What the SDK says about facts that it could not read. */
  factsMissing?: Readonly<Record<string, string>>
  headers: Record<string, string>
  zoneOfAddress?: { timezone: string; country: string }
}

/** The IP address is one for documentation (RFC 5737). */
function evidenceOf({ now, facts, factsMissing, headers, zoneOfAddress: zone }: RecordedSession): Evidence {
  return {
    platform: 'WEB',
    facts,
    ...owedFacts({ platform: 'WEB', facts, ...(factsMissing && { factsMissing }), tookMs: 3000 }),
    malformedFacts: [],
    headers,
    network: zone && {
      ip: '192.0.2.1',
      timezone: zone.timezone,
      ipLocation: { accuracyRadius: 20, country: { code: zone.country } },
    },
    now,
  }
}
