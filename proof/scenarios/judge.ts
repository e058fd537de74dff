// What do the signals say about the facts of a page, and is it as expected?

import { WebFacts } from '@ringfence/contract'
import type { Evidence } from '@ringfence/server/device/analysis/evidence.ts'
import { owedFacts } from '@ringfence/server/device/analysis/owed-facts.ts'
import type { Judgement } from '@ringfence/server/device/signals/judge.ts'
import { Value } from 'typebox/value'
import type { Told } from './page.ts'
import type { Expectation, Scenario } from './scenario.ts'

/** The evidence as the service would collect it; the IP address is a documentation address (RFC 5737). */
export function evidenceOf(
  { facts, factsMissing, headers }: Pick<Told, 'facts' | 'factsMissing' | 'headers'>,
  zone: Scenario['zoneOfAddress'],
  now: number,
): Evidence {
  const isValid = (name: string) =>
    name in WebFacts.properties && Value.Check(WebFacts.properties[name as keyof WebFacts], facts[name])
  const names = Object.keys(facts)
  const read = Object.fromEntries(names.filter(isValid).map((name) => [name, facts[name]])) as WebFacts
  return {
    platform: 'WEB',
    facts: read,
    // The machine may be busy: each page was given time.
    ...owedFacts({ platform: 'WEB', facts: read, factsMissing, tookMs: 60_000 }),
    malformedFacts: names.filter((name) => !isValid(name)),
    headers,
    network: zone && {
      ip: '192.0.2.1',
      timezone: zone.timezone,
      ipLocation: { accuracyRadius: 20, country: { code: zone.country } },
    },
    now,
  }
}

type Verdicts = { [Name in keyof Expectation]-?: Exclude<Expectation[Name], 'notTrue'> | undefined }

/** The verdicts in one row, named as in expectations. */
export function verdictsOf({ verdicts }: Judgement): Verdicts {
  return {
    bot: verdicts.bot?.result,
    botCategory: verdicts.bot?.category,
    incognito: verdicts.incognito,
    privacySettings: verdicts.privacySettings?.result,
    developerTools: verdicts.developerTools?.result,
    virtualMachine: verdicts.virtualMachine?.result,
    tampering: verdicts.tampering?.result,
    timezoneMismatch: verdicts.vpn?.methods.timezoneMismatch,
  }
}

/** The differences from what is expected, as sentences. */
export function disappointments(expected: Expectation, judgement: Judgement): string[] {
  const said = verdictsOf(judgement)
  return (Object.keys(expected) as (keyof Expectation)[]).flatMap((name) =>
    said[name] === expected[name] || (expected[name] === 'notTrue' && said[name] !== true)
      ? []
      : [`${name} is ${said[name]}, expected ${expected[name]}`],
  )
}
