// What happened to a user or number? Its events in groups, newest first.

import { useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import type { RequestOf } from '../../api/call.ts'
import type { FoundEvent } from '../../api/types.ts'
import { More } from '../../parts/answer.tsx'
import { ActionBadge, Badge } from '../../parts/badge.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { points } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import { describe } from '../events/describe.ts'
import { EventDialog } from '../events/event-dialog.tsx'
import { useEvents } from '../events/use-events.ts'
import './subject.css'

type Types = NonNullable<RequestOf<'searchEvents'>['types']>
type EventGroups = Readonly<Record<string, { readonly name: string; readonly types: readonly string[] }>>

interface SubjectEventsProps {
  subject: Pick<RequestOf<'searchEvents'>, 'userId' | 'phoneNumber'>
  groups: EventGroups
  /** What else a row says, such as who asked. */
  describeMore?: (event: FoundEvent) => string | undefined
  /** Why there may be none. */
  none: string
}

export function SubjectEvents({ subject, groups, describeMore, none }: SubjectEventsProps) {
  const [opened, setOpened] = useState<FoundEvent>()
  return (
    <section className="card flush" aria-label="Events">
      <Tabs>
        <TabList aria-label="Events" className="tab-list">
          {Object.entries(groups).map(([id, { name }]) => (
            <Tab key={id} id={id} className="subject-tab">
              {name}
            </Tab>
          ))}
        </TabList>
        {Object.entries(groups).map(([id, { types }]) => (
          <TabPanel key={id} id={id} className="tab-panel">
            <EventRows
              filters={{ ...subject, types: [...types] as Types }}
              none={none}
              onOpen={setOpened}
              {...(describeMore && { describeMore })}
            />
          </TabPanel>
        ))}
      </Tabs>
      <EventDialog event={opened} onClose={() => setOpened(undefined)} />
    </section>
  )
}

interface EventRowsProps extends Pick<SubjectEventsProps, 'describeMore' | 'none'> {
  filters: Omit<RequestOf<'searchEvents'>, 'cursor' | 'limit'>
  onOpen: (event: FoundEvent) => void
}

function EventRows({ filters, none, describeMore, onOpen }: EventRowsProps) {
  const answer = useEvents(filters)
  const { data, error, refetch, hasNextPage } = answer
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={6} />
  return (
    <>
      {data.length === 0 && !hasNextPage && <p className="dim tab-none">Nothing is stored. {none}</p>}
      <ul className="subject-events">
        {data.map((event) => (
          <EventRow key={event.id} event={event} onOpen={onOpen} more={describeMore?.(event)} />
        ))}
      </ul>
      <More of={answer} />
    </>
  )
}

interface EventRowProps {
  event: FoundEvent
  onOpen: (event: FoundEvent) => void
  more: string | undefined
}

function EventRow({ event, onOpen, more }: EventRowProps) {
  const { title, detail, action, isSure, outcome, score, decisionId } = describe(event)
  return (
    <li>
      <span className="subject-event-what">
        {decisionId === undefined ? (
          <button type="button" className="link" onClick={() => onOpen(event)}>
            {title}
          </button>
        ) : (
          <Link to="/decisions/$decisionId" params={{ decisionId }}>
            {title}
          </Link>
        )}
        <span className="dim">{[detail, more].filter(Boolean).join('  ')}</span>
      </span>
      <span className="subject-event-end">
        {score !== undefined && <span className="dim figures">{points(score)}</span>}
        {action && <ActionBadge action={action} isSure={isSure} />}
        {outcome && <Badge tone={outcome.tone}>{outcome.text}</Badge>}
        <span className="dim subject-event-time">
          <Time at={event.timestamp} />
        </span>
      </span>
    </li>
  )
}
