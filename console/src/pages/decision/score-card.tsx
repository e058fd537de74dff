// Why is the score as it is? One bar of all contributions, and each reason with its share.

import type { InvestigatedDecision as Decision } from '../../api/types.ts'
import { Card } from '../../parts/card.tsx'
import { points } from '../../parts/values/format.ts'
import { reasonName } from '../../words/reasons.ts'
import { contributions } from './contributions.ts'
import './decision.css'

export function ScoreCard({ decision: { reasons, score } }: { decision: Decision }) {
  const shares = contributions(reasons)
  return (
    <Card title="Score">
      <div className="score">
        <p>
          <strong className="figures">{points(score)}</strong>
          <span className="dim"> of 100</span>
        </p>
        <div className="score-bar" aria-hidden="true">
          {shares.map(({ reason: { code, weight }, points: share }) => (
            <i key={code} className={strength(weight)} style={{ width: `${share}%` }} />
          ))}
        </div>
        <div className="score-scale dim figures" aria-hidden="true">
          <span>0</span>
          <span>25</span>
          <span>50</span>
          <span>75</span>
          <span>100</span>
        </div>
      </div>
      {shares.length > 0 && (
        <ol className="reasons">
          {shares.map(({ reason, points: share }) => (
            <li key={reason.code}>
              <i className={`reason-mark ${strength(reason.weight)}`} aria-hidden="true" />
              <div>
                <p>{reason.text}</p>
                <p className="reason-source">
                  <a href={`#${partOf(reason.source)}`}>{reasonName(reason.code)}</a>
                  {points(reason.weight) !== points(share) && ` · ${points(reason.weight)} if it were the only reason`}
                </p>
              </div>
              <p className="reason-points figures" title="Its share of the score">
                +{points(share)}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

/** The part of the page that has the evidence: `telecom.simSwap` is with the phone number. */
function partOf(source: string): string {
  const [part = ''] = source.split('.')
  return (
    (
      {
        telecom: 'phone',
        missing: 'missing',
        rules: 'rules',
        account: 'account',
        login: 'login',
        email: 'email',
      } as Record<string, string>
    )[part] ?? 'device'
  )
}

const strength = (weight: number) => (weight >= 50 ? 'strong' : weight >= 25 ? 'medium' : 'weak')
