// Which versions does somebody want to be live? Each waits for a second person.

import { useMay } from '../../api/session.tsx'
import type { Publication } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Link } from '../../parts/link.tsx'
import { Time } from '../../parts/values/time.tsx'
import { versionName } from '../decision/rules-card.tsx'
import { Differences } from './comparison-card.tsx'
import { rulesReads, Warnings } from './version-actions.tsx'
import './rules.css'

export function RequestsCard() {
  const { data } = useRead('listPublications', {})
  const open = data?.publications.filter(({ state }) => state === 'open') ?? []
  if (open.length === 0) return null
  return (
    <Card title="Waiting for approval">
      <ul className="requests">
        {open.map((each) => (
          <Request key={each.number} request={each} />
        ))}
      </ul>
    </Card>
  )
}

function Request({ request }: { request: Publication }) {
  const { number, version, insteadOf, requestedBy, requestedAt, note, warnings, isYours } = request
  const may = useMay()
  const deciding = useChange(
    (call, name: 'approvePublication' | 'rejectPublication') => call(name, { number: String(number) }),
    { reads: rulesReads, readsAlways: true },
  )
  return (
    <li>
      <p>
        <b>{requestedBy}</b> wants{' '}
        <Link to="/rules" search={{ version, against: insteadOf }}>
          {versionName(version).toLowerCase()}
        </Link>{' '}
        to be live
      </p>
      <p>“{note}”</p>
      <Warnings warnings={warnings} />
      <p className="dim">
        <Time at={requestedAt} />
        {isYours && ' · another person has to approve'}
      </p>
      <section className="request-differences" aria-label="What changes">
        <h3>What changes against {versionName(insteadOf).toLowerCase()}</h3>
        <Differences from={insteadOf} to={version} />
      </section>
      <div className="request-actions">
        {!isYours && may('rules.publish') && (
          <Button kind="primary" isDisabled={deciding.isPending} onPress={() => deciding.mutate('approvePublication')}>
            Approve and publish
          </Button>
        )}
        {(isYours || may('rules.publish')) && (
          <Button isDisabled={deciding.isPending} onPress={() => deciding.mutate('rejectPublication')}>
            {isYours ? 'Withdraw' : 'Reject'}
          </Button>
        )}
      </div>
      {deciding.error && <CallError error={deciding.error} />}
    </li>
  )
}
