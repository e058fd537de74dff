// Why are the scores of a report as they are? The member `reasons`, from what was stored with the report.

import type { ReportReasons } from '@ringfence/contract'
import type { Contribution } from '../../device/scores/combine.ts'
import { weights } from '../../device/scores/weights.ts'
import { codeOfContribution, sentence } from '../../rules/reasons/device-reasons.ts'
import type { ReportBasis } from '../basis.ts'

/** What the points of suspectScore are for, by their published names. */
const published = new Map(
  Object.entries(weights).map(([name, { publishedAs = name, because }]) => [publishedAs, { name, because }]),
)

export function reasonsOf({ scores: { session, device, suspect } }: Pick<ReportBasis, 'scores'>): ReportReasons {
  return {
    sessionRiskScore: session.contributions.map(weighed),
    deviceRiskScore: device.contributions.map(weighed),
    suspectScore: suspect.map(({ source, weight }) => {
      // A name that a newer version does not publish any more is its own text.
      const { name, because } = published.get(source) ?? { name: source, because: source }
      return { code: codeOfContribution(name), points: weight, text: sentence(because) }
    }),
  }
}

const weighed = ({ source, weight, because }: Contribution) => ({
  code: codeOfContribution(source),
  weight: Math.round(weight * 1e4) / 1e4,
  text: sentence(because),
})
