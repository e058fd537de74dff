// What followed from the decision? Its challenge, its review and its labels.

import type { InvestigatedDecision } from '../../api/types.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'

export function OutcomeCard({ decision }: { decision: InvestigatedDecision }) {
  const { challenge, review, message, labels } = decision
  return (
    <Card title="What followed">
      <Facts
        facts={[
          message === undefined ? undefined : { name: 'Message for the user', value: `“${message}”` },
          challenge && { name: 'Challenge', value: <ChallengeState {...challenge} /> },
          review && { name: 'Review', value: <ReviewState {...review} /> },
          labels.length === 0 ? undefined : { name: 'Labels', value: <Labels labels={labels} /> },
        ]}
      />
      {!message && !challenge && !review && labels.length === 0 && (
        <p className="dim">The answer went to your backend. Nothing waits for it.</p>
      )}
    </Card>
  )
}

function ChallengeState({ state, identityTypes, expiresAt, passedAt }: NonNullable<InvestigatedDecision['challenge']>) {
  if (state === 'passed') {
    return (
      <>
        <Badge tone="green">Passed</Badge> {passedAt && <Time at={passedAt} />}
      </>
    )
  }
  if (state === 'expired') return <Badge>Expired, not passed</Badge>
  return (
    <>
      <Badge tone="violet">Open</Badge>{' '}
      <span className="dim">
        by {identityTypes.join(' or ') || 'nothing: the request names no user'}, until{' '}
        {new Date(expiresAt).toLocaleTimeString(locale, { timeStyle: 'short', hourCycle: 'h23' })}
      </span>
    </>
  )
}

function ReviewState({ state, by, note, resolvedAt }: NonNullable<InvestigatedDecision['review']>) {
  if (state === 'open') return <Badge tone="accent">Waits for a person</Badge>
  return (
    <>
      <Badge tone={state === 'approved' ? 'green' : 'red'}>{state === 'approved' ? 'Approved' : 'Blocked'}</Badge>{' '}
      <span className="dim">
        by {by} {resolvedAt && <Time at={resolvedAt} />}
      </span>
      {note && <p>{note}</p>}
    </>
  )
}

/** The one that became known last counts. */
function Labels({ labels }: Pick<InvestigatedDecision, 'labels'>) {
  return (
    <ul>
      {labels.map(({ outcome, of, knownAt }) => (
        <li key={`${of} ${outcome}`}>
          <Badge tone={outcome === 'legitimate' ? 'green' : 'red'}>{texts.labels[outcome]}</Badge>{' '}
          <span className="dim">
            {of === 'report' && 'of the device report, '}
            <Time at={knownAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}
