// What happens right now? Decisions and sessions as they come; they stand still while somebody reads.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { FoundEvent } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { Empty, Failed, Loading } from '../../parts/empty.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { texts } from '../../texts.ts'
import { EventDialog } from '../events/event-dialog.tsx'
import { EventTable } from '../events/event-table.tsx'
import { Filters, sentFilters } from '../events/filters.tsx'
import { TryDecision } from '../try/try-decision.tsx'
import { mostRows } from './rows.ts'
import { useLive } from './use-live.ts'
import './live.css'

export function LivePage() {
  const filters = useSearch({ from: '/live' })
  const navigate = useNavigate()
  const [isPaused, setPaused] = useState(false)
  const [opened, setOpened] = useState<FoundEvent>()
  const isReading = useScrolled()
  const { shown, waiting, state, isReady, error, retry } = useLive(sentFilters(filters), isPaused || isReading)
  useShortcuts({ p: () => setPaused(!isPaused) })
  const isFiltered = Object.keys(filters).length > 0
  const move = () => {
    setPaused(false)
    scrollTo({ top: 0 })
  }
  return (
    <>
      <PageHead
        title={texts.pages.live}
        beside={
          <span className="pulse" data-state={isPaused ? 'paused' : state} role="status">
            {isPaused ? 'Paused' : state === 'watching' ? 'Watching' : 'Connecting'}
          </span>
        }
      >
        <Filters value={filters} onChange={(next) => void navigate({ to: '/live', search: next, replace: true })} />
        <Button onPress={() => setPaused(!isPaused)} aria-pressed={isPaused}>
          <Icon name={isPaused ? 'play' : 'pause'} size={14} />
          {isPaused ? 'Continue' : 'Pause'}
        </Button>
        <TryDecision />
      </PageHead>
      {waiting.length > 0 && (
        <div className="live-waiting">
          <Button kind="primary" onPress={move}>
            {countText(waiting.length)}
          </Button>
        </div>
      )}
      {shown.length > 0 ? (
        <EventTable label={texts.pages.live} events={shown} onOpen={setOpened} />
      ) : error ? (
        <Failed error={error} onRetry={retry} />
      ) : !isReady ? (
        <Loading lines={12} />
      ) : isFiltered ? (
        <Empty icon="live" title="Nothing of this kind yet">
          Events that match the filters appear here automatically.
        </Empty>
      ) : (
        <Empty icon="live" title="Waiting for the first decision">
          Every decision, sign-in and device report of your tenant appears here automatically. Ask for a decision from
          your backend:
          <pre>{`curl "$RINGFENCE_URL/v1/decisions" \\\n  -H "clientId: …" -H "clientSecret: …" \\\n  -H "content-type: application/json" \\\n  -d '{"action": "LOGIN", "userId": "u-1001"}'`}</pre>
        </Empty>
      )}
      <EventDialog event={opened} onClose={() => setOpened(undefined)} />
    </>
  )
}

const countText = (count: number) =>
  count === 1 ? '1 new event' : `${count < mostRows ? count : `More than ${mostRows - 1}`} new events`

/** Rows must not move away from somebody who has scrolled to one. */
function useScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false)
  useEffect(() => {
    const change = () => setScrolled(scrollY > 160)
    addEventListener('scroll', change, { passive: true })
    return () => removeEventListener('scroll', change)
  }, [])
  return isScrolled
}
