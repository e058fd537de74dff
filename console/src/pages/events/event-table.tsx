// What happened, newest first? Rows of one height, of which only those in view exist, with keys to go through them.

import { useNavigate } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { FoundEvent } from '../../api/types.ts'
import { ActionBadge, Badge } from '../../parts/badge.tsx'
import { points } from '../../parts/values/format.ts'
import { ClockTime } from '../../parts/values/time.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { describe } from './describe.ts'
import './event-table.css'

interface EventTableProps {
  label: string
  events: readonly FoundEvent[]
  /** Opens an event that is no decision; a decision opens its page. */
  onOpen?: (event: FoundEvent) => void
  /** Called when the last rows come into view. */
  onEnd?: () => void
}

const narrow = '(max-width: 720px)'

export function EventTable({ label, events, onOpen, onEnd }: EventTableProps) {
  const navigate = useNavigate()
  const body = useRef<HTMLDivElement>(null)
  const [selectedId, setSelectedId] = useState<string>()
  const [offset, setOffset] = useState(0)
  const [rowHeight, setRowHeight] = useState(() => (matchMedia(narrow).matches ? 64 : 44))
  useEffect(() => {
    const media = matchMedia(narrow)
    const change = () => setRowHeight(media.matches ? 64 : 44)
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [])
  useLayoutEffect(() => {
    setOffset(body.current?.offsetTop ?? 0)
  }, [])
  const rows = useWindowVirtualizer({
    count: events.length,
    estimateSize: useCallback(() => rowHeight, [rowHeight]),
    overscan: 8,
    scrollMargin: offset,
    getItemKey: (index) => events[index]!.id,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured again when their height changes
  useEffect(() => {
    rows.measure()
  }, [rowHeight])
  const shown = rows.getVirtualItems()
  const isAtEnd = (shown.at(-1)?.index ?? 0) >= events.length - 5
  useEffect(() => {
    if (isAtEnd && events.length > 0) onEnd?.()
  }, [isAtEnd, events.length, onEnd])

  const open = (event: FoundEvent | undefined) => {
    if (!event) return
    const { decisionId } = describe(event)
    if (decisionId === undefined) onOpen?.(event)
    else void navigate({ to: '/decisions/$decisionId', params: { decisionId } })
  }
  const selected = events.findIndex(({ id }) => id === selectedId)
  const select = (index: number) => {
    const next = Math.max(0, Math.min(events.length - 1, index))
    setSelectedId(events[next]?.id)
    rows.scrollToIndex(next, { align: 'auto' })
  }
  useShortcuts({ j: () => select(selected + 1), k: () => select(selected - 1), Enter: () => open(events[selected]) })
  return (
    <div className="events" role="table" aria-label={label} aria-rowcount={events.length}>
      <div className="events-head" role="row">
        {['Outcome', 'What', 'Who', 'Why', 'Score', 'When'].map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div ref={body} role="rowgroup" className="events-body" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, key, start, size }) => {
          const event = events[index]!
          return (
            <Row
              key={key}
              event={event}
              index={index}
              isSelected={event.id === selectedId}
              top={start - offset}
              height={size}
              onOpen={() => open(event)}
            />
          )
        })}
      </div>
    </div>
  )
}

interface RowProps {
  event: FoundEvent
  index: number
  isSelected: boolean
  top: number
  height: number
  onOpen: () => void
}

function Row({ event, index, isSelected, top, height, onOpen }: RowProps) {
  const { title, subject, detail, action, isSure, outcome, score, decisionId } = describe(event)
  return (
    <div
      className="events-row"
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span role="cell" className="event-outcome">
        {action && <ActionBadge action={action} isSure={isSure} />}
        {outcome && <Badge tone={outcome.tone}>{outcome.text}</Badge>}
      </span>
      <span role="cell" className="event-what">
        <a
          href={decisionId === undefined ? undefined : `/console/decisions/${decisionId}`}
          role={decisionId === undefined ? 'button' : undefined}
          tabIndex={0}
          onKeyDown={(pressed) => {
            if (pressed.key !== 'Enter') return
            pressed.preventDefault()
            onOpen()
          }}
          onClick={(clicked) => {
            if (clicked.ctrlKey || clicked.metaKey || clicked.shiftKey) return
            clicked.preventDefault()
            onOpen()
          }}
        >
          {title}
        </a>
      </span>
      <span role="cell" className="event-who">
        {subject}
      </span>
      <span role="cell" className="event-why" title={detail}>
        {detail}
      </span>
      <span role="cell" className="event-score figures" data-zero={score === 0 || undefined}>
        {score !== undefined && points(score)}
      </span>
      <span role="cell" className="event-when">
        <ClockTime at={event.timestamp} />
      </span>
    </div>
  )
}
