// What is known of a phone number? Its operator, answers, users and decisions; last, which way a check of it goes.

import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../../api/session.tsx'
import type { FoundEvent, ShownNumber } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { country, fieldName, phoneText, yesNo } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { checkName } from '../../words/check-name.ts'
import { NumbersTable } from '../entities/numbers-page.tsx'
import { AddToList } from '../subject/add-to-list.tsx'
import { CountsCard } from '../subject/counts-card.tsx'
import { PrivacyLink } from '../subject/privacy-link.tsx'
import { useReveal } from '../subject/reveal.tsx'
import { toneOfState } from '../subject/state.ts'
import { SubjectEvents } from '../subject/subject-events.tsx'
import { UserLinks } from '../subject/user-links.tsx'
import { CheckNow } from './check-now.tsx'
import { lastingText, resultText, resultTone } from './checks.ts'
import { RouteCard } from './route-card.tsx'
import './number.css'
import '../subject/subject.css'

export function NumberPage() {
  const phoneNumber = decodeURIComponent(useLocation().hash)
  return phoneNumber === '' ? <NumbersTable /> : <NumberOf key={phoneNumber} phoneNumber={phoneNumber} />
}

function NumberOf({ phoneNumber }: { phoneNumber: string }) {
  const { data, error, refetch } = useRead('readNumber', { phoneNumber })
  const { record, control } = useReveal<ShownNumber>({ kind: 'phoneNumber', id: phoneNumber })
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={12} />
  return <NumberView asked={phoneNumber} number={record ?? data} reveal={control} />
}

/** `asked`: the number itself; the answer has it masked for some roles. */
function NumberView({ asked, number, reveal }: { asked: string; number: ShownNumber; reveal: ReactNode }) {
  const { phoneNumber, state, phoneDetail, velocities } = number
  const may = useMay()
  return (
    <>
      <PageHead
        over="Number"
        title={phoneText(phoneNumber)}
        beside={<Copy value={asked}>{''}</Copy>}
        tone={toneOfState(state)}
        under={
          <>
            <span>{state.text}</span>
            <span>{country(phoneDetail.country) ?? 'Country not known'}</span>
            <span>{phoneDetail.operator ?? 'Operator not known'}</span>
          </>
        }
      >
        {reveal}
        {may('numbers.check') && <CheckNow phoneNumber={asked} />}
        <PrivacyLink subject={{ kind: 'phoneNumber', value: asked }} />
        <AddToList kind="phoneNumber" value={asked} />
      </PageHead>
      <div className="subject">
        <div className="subject-main">
          <Answers number={number} />
          <Events phoneNumber={asked} />
        </div>
        <div className="subject-side">
          <Detail number={number} />
          <Card title="Users">
            <UserLinks links={number.accounts} unknown={number.unknownAccounts} />
          </Card>
          <CountsCard counts={velocities} of="phone number" />
          <RouteCard phoneNumber={asked} />
        </div>
      </div>
    </>
  )
}

function Detail({ number: { phoneDetail } }: { number: ShownNumber }) {
  const { operator, homeOperator, isPorted, type, location, timeZones } = phoneDetail
  return (
    <Card title="Operator">
      <Facts
        facts={[
          { name: 'Operator', value: operator ?? texts.common.unknown },
          { name: 'Home operator', value: homeOperator ?? texts.common.unknown },
          { name: 'Ported', value: yesNo(isPorted) ?? texts.common.unknown },
          { name: 'Line', value: type && fieldName(type.toLowerCase()) },
          { name: 'Registered in', value: location },
          { name: 'Time zone', value: timeZones?.slice(0, 3).join(', ') },
        ]}
      />
    </Card>
  )
}

function Answers({ number: { answers } }: { number: ShownNumber }) {
  return (
    <Card title="Stored answers">
      {answers.length === 0 ? (
        <p className="dim">No answer of an operator is stored. Stored answers end with their reuse time.</p>
      ) : (
        <ul className="answers">
          {answers.map(({ check, result, maxAgeHours, from, answeredAt, reusableSeconds }) => (
            <li key={`${check} ${maxAgeHours} ${from}`}>
              <span>
                <b>{checkName(check)}</b>
                <span className="dim">
                  {maxAgeHours === undefined ? '' : `within ${maxAgeHours} hours, `}by {from}, <Time at={answeredAt} />
                </span>
              </span>
              <span className="answer-end">
                <Badge tone={resultTone(result)}>{resultText(check, result)}</Badge>
                <span className="dim">
                  {reusableSeconds === 0 ? 'The next check calls' : `Reused for ${lastingText(reusableSeconds)}`}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const types = {
  decisions: { name: 'Decisions', types: ['decision.*'] },
  signIns: { name: 'Sign-ins', types: ['sign_in.*', 'otp.*'] },
  checks: { name: 'Checks', types: ['telecom.*'] },
} satisfies Record<string, { name: string; types: string[] }>

function Events({ phoneNumber }: { phoneNumber: string }) {
  const may = useMay()
  if (!may('decisions.read')) return null
  return (
    <SubjectEvents
      subject={{ phoneNumber }}
      groups={types}
      describeMore={whoAsked}
      none="Checks of backends are events only while a webhook or stream wants them, or with RECORDED_EVENTS=all. Checks by hand always are."
    />
  )
}

const whoAsked = ({ data }: FoundEvent) => (typeof data.by === 'string' ? `by ${data.by}` : undefined)
