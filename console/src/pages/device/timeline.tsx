// What happened at each visit? When, from where, how it was recognised, what changed since the one before, and what rules chose.

import type { ShownChange, ShownVisit } from '../../api/types.ts'
import { usePages } from '../../api/use-call.ts'
import { isAction } from '../../parts/actions.ts'
import { Answer, More } from '../../parts/answer.tsx'
import { ActionBadge, Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { country, fieldName, points, shortId } from '../../parts/values/format.ts'
import { exactTime, Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { recognitionText, recognitionTone } from './recognition.ts'
import './device.css'

const pageSize = 25

export function Timeline({ deviceId }: { deviceId: string }) {
  const answer = usePages('listDeviceVisits', { deviceId, limit: pageSize }, (pages) =>
    pages.flatMap(({ visits }) => visits),
  )
  return (
    <Card title="Visits">
      <Answer of={answer} lines={8}>
        {(data) =>
          data.length === 0 ? (
            <p className="dim">No visit with a report is stored.</p>
          ) : (
            <ol className="visits">
              {data.map((visit) => (
                <Visit key={visit.dfrId} visit={visit} />
              ))}
            </ol>
          )
        }
      </Answer>
      <More of={answer} className="visits-more" />
    </Card>
  )
}

function Visit({ visit }: { visit: ShownVisit }) {
  const { at, dfrId, action, deviceRiskScore, recognition, signals, label, isStored, changes, rules = [] } = visit
  const where = [visit.place?.city, country(visit.place?.country ?? visit.country), visit.network]
  const what = [visit.description?.browser ?? visit.description?.model, visit.description?.os]
  return (
    <li className={`visit ${isAction(action) ? action.toLowerCase() : ''}`}>
      <div className="visit-head">
        <b title={exactTime(at)}>
          <Time at={at} />
        </b>
        {isAction(action) && <ActionBadge action={action} />}
        {deviceRiskScore !== undefined && (
          <span className="dim figures" title="Risk of the device and its history, 0 to 100">
            {points(deviceRiskScore)}
          </span>
        )}
        {label && <Badge tone={label === 'legitimate' ? 'green' : 'red'}>{texts.labels[label]}</Badge>}
        <span className="visit-id">
          <Copy value={dfrId}>{shortId(dfrId)}</Copy>
        </span>
      </div>
      <p className="dim">
        {[...where, ...what].filter((part) => part !== undefined).join(' · ') || 'Place not known'}
        {visit.ipAddress && (
          <>
            {' · '}
            <code>{visit.ipAddress}</code>
          </>
        )}
      </p>
      {recognition && (
        <p className={`visit-recognition ${recognitionTone(recognition)}`}>{recognitionText(recognition)}</p>
      )}
      {(signals.length > 0 || rules.length > 0) && (
        <p className="visit-badges">
          {signals.map((name) => (
            <Badge key={name} tone="amber">
              {fieldName(name)}
            </Badge>
          ))}
          {rules.map((name) => (
            <Badge key={`rule ${name}`}>Rule: {name}</Badge>
          ))}
        </p>
      )}
      {changes ? (
        <Changes changes={changes} />
      ) : (
        !isStored && <p className="dim">The report has expired. What changed is not known.</p>
      )}
    </li>
  )
}

/** A browser that was updated changes a dozen fields. */
const shownAtOnce = 6

function Changes({ changes }: { changes: readonly ShownChange[] }) {
  if (changes.length === 0) return <p className="dim">Nothing changed since the visit before.</p>
  const [first, rest] = [changes.slice(0, shownAtOnce), changes.slice(shownAtOnce)]
  return (
    <>
      <ChangeList changes={first} />
      {rest.length > 0 && (
        <details className="visit-rest">
          <summary>{rest.length} more changes</summary>
          <ChangeList changes={rest} />
        </details>
      )}
    </>
  )
}

/** Of a long id both ends are enough. */
const valueText = (value: string | undefined) =>
  value === undefined
    ? texts.common.unknown
    : /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)
      ? shortId(value)
      : value

const ChangeList = ({ changes }: { changes: readonly ShownChange[] }) => (
  <dl className="visit-changes">
    {changes.map(({ kind, what, before, after }) => (
      <div key={`${kind} ${what}`}>
        <dt>{fieldName(what)}</dt>
        <dd>
          {kind === 'signal' ? (
            after === undefined ? (
              'no longer fires'
            ) : (
              'fires now'
            )
          ) : (
            <>
              <span className="dim">{valueText(before)}</span>
              {' → '}
              {valueText(after)}
            </>
          )}
        </dd>
      </div>
    ))}
  </dl>
)
