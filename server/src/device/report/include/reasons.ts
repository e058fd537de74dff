// Why are the scores of a report as they are? The member `reasons`, from what was stored with the report.

import type { ReportReasons } from '@ringfence/contract'
import type { Contribution } from '../../scores/combine.ts'
import { weights } from '../../scores/weights.ts'
import type { ReportBasis } from '../basis.ts'

/** What the points of suspectScore are for, by their published names. */
const suspectTexts: ReadonlyMap<string, string> = new Map(
  Object.entries(weights).map(([name, { publishedAs = name, because }]) => [publishedAs, because]),
)

export function reasonsOf({ scores: { session, device, suspect } }: Pick<ReportBasis, 'scores'>): ReportReasons {
  return {
    sessionRiskScore: session.contributions.map(weighed),
    deviceRiskScore: device.contributions.map(weighed),
    suspectScore: suspect.map(({ source, weight }) => ({
      code: source,
      points: weight,
      // A name that a newer version does not publish any more is its own text.
      text: suspectTexts.get(source) ?? source,
    })),
  }
}

const weighed = ({ source, weight, because }: Contribution) => ({
  code: source,
  weight: Math.round(weight * 1e4) / 1e4,
  text: because,
})
