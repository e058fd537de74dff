// What is known about a number, user, device or IP address? Everything that happened to it, newest first.

import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { FoundEvent } from '../../api/types.ts'
import { Answer } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { texts } from '../../texts.ts'
import { EventDialog } from '../events/event-dialog.tsx'
import { EventTable } from '../events/event-table.tsx'
import { Filters, sentFilters } from '../events/filters.tsx'
import { useEvents } from '../events/use-events.ts'
import { FigurePage } from './figure-page.tsx'
import { figureIn } from './figures.ts'
import { FoundRecords } from './found-records.tsx'
import {
  kindNames,
  linkTo,
  type RecordKind,
  recognise,
  recordKinds,
  type SubjectKind,
  subjectKinds,
} from './recognise.ts'
import './search.css'

export function SearchPage() {
  const record = recordOf(useLocation().hash)
  const figure = figureIn(useSearch({ from: '/search' }))
  if (record) return <RecordPage {...record} />
  return Object.keys(figure).length > 0 ? <FigurePage /> : <EventsPage />
}

function RecordPage({ kind, value }: { kind: RecordKind; value: string }) {
  return (
    <>
      <PageHead over={kindNames[kind]} title={value} beside={<Copy value={value}>{''}</Copy>} />
      <FoundRecords kind={kind} value={value} />
    </>
  )
}

function EventsPage() {
  const filters = useSearch({ from: '/search' })
  const { hash } = useLocation()
  const navigate = useNavigate()
  const subject = subjectOf(hash)
  const [opened, setOpened] = useState<FoundEvent>()
  const answer = useEvents({
    ...sentFilters(filters),
    ...(subject && { [subject.kind]: subject.value }),
  })
  const { hasNextPage, isFetching, fetchNextPage } = answer
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  return (
    <>
      <PageHead
        {...(subject && { over: kindNames[subject.kind] })}
        title={subject ? subject.value : texts.pages.search}
        beside={subject && <Copy value={subject.value}>{''}</Copy>}
        under={subject ? undefined : 'Everything that happened, newest first.'}
      >
        <Filters
          value={filters}
          onChange={(next) => void navigate({ to: '/search', search: next, hash, replace: true })}
        />
      </PageHead>
      {!subject && <SearchForm />}
      <Answer of={answer} lines={12}>
        {(data) =>
          data.length > 0 ? (
            <EventTable label="Events" events={data} onOpen={setOpened} onEnd={more} />
          ) : hasNextPage ? (
            <Empty
              icon="search"
              title="Nothing in the newest events"
              action={<Button onPress={more}>Search older events</Button>}
            >
              There are older events that were not searched yet.
            </Empty>
          ) : (
            <Empty icon="search" title="Nothing found" action={subject && <SearchAs {...subject} />}>
              {subject
                ? `Nothing is stored about this ${kindNames[subject.kind].toLowerCase()}. Check how it is written: numbers need their country code.`
                : 'No event matches the filters.'}
            </Empty>
          )
        }
      </Answer>
      <EventDialog event={opened} onClose={() => setOpened(undefined)} />
    </>
  )
}

/** An id of a request has the form of a device id, and an email address may be an id of a user. */
function SearchAs({ kind, value }: { kind: SubjectKind; value: string }) {
  const other = ({ deviceId: 'requestId', email: 'userId' } as const)[kind as 'deviceId' | 'email']
  return other && <Link {...linkTo({ kind: other, value })}>Search as {kindNames[other].toLowerCase()}</Link>
}

function SearchForm() {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const found = recognise(text)
  return (
    <form
      className="search-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (found) void navigate(linkTo(found))
      }}
    >
      <input
        className="input"
        type="search"
        value={text}
        onChange={({ target }) => setText(target.value)}
        placeholder={texts.search.help}
        aria-label={texts.search.help}
        autoComplete="off"
        spellCheck={false}
      />
      <Button kind="primary" type="submit" isDisabled={!found}>
        {found ? `Find ${found.name.toLowerCase()}` : 'Find'}
      </Button>
    </form>
  )
}

function recordOf(hash: string): { kind: RecordKind; value: string } | undefined {
  const [kind, value] = hash.split('=')
  const known = recordKinds.find((name) => name === kind)
  return known && value ? { kind: known, value: decodeURIComponent(value) } : undefined
}

/** `phoneNumber=917020141726`, as `linkTo` writes it. */
function subjectOf(hash: string): { kind: SubjectKind; value: string } | undefined {
  const [kind, value] = hash.split('=')
  const known = subjectKinds.find((name) => name === kind)
  return known && value ? { kind: known, value: decodeURIComponent(value) } : undefined
}
