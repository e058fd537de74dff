// Is what the pages show real? While the tenant has demo traffic, a line above every page says so, with a button that removes it.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useMay, useSession } from '../api/session.tsx'
import type { DemoState } from '../api/types.ts'
import { useRead } from '../api/use-call.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/overlay.tsx'
import { texts } from '../texts.ts'
import './demo-banner.css'

/** Only while something is in progress, which takes a minute or two. */
const progressEveryMs = 5_000

const isInProgress = (state: DemoState['state'] | undefined) => state === 'making' || state === 'removing'

export function DemoBanner() {
  const { call } = useSession()
  const may = useMay()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { data } = useRead(
    'readDemo',
    {},
    {
      staleTime: 60_000,
      refetchInterval: ({ state }) => (isInProgress(state.data?.state) ? progressEveryMs : false),
    },
  )
  const removal = useMutation({
    mutationFn: () => call('removeDemo', {}),
    onSuccess: () => {
      setAsking(false)
      void client.invalidateQueries()
    },
  })
  const before = useRef(data?.state)
  useEffect(() => {
    // What the pages show has grown, or is gone.
    if (isInProgress(before.current) && !isInProgress(data?.state)) void client.invalidateQueries()
    before.current = data?.state
  }, [client, data?.state])
  if (!data || data.state === 'none' || data.state === 'removed') return null
  const words = texts.demo
  return (
    <section className="demo-banner" aria-label={words.title}>
      <p>
        <b>{words.title}</b> <span>{sentenceOf(data)}</span>
      </p>
      {data.state === 'making' && <progress value={data.progress} max={1} aria-label={words.progress} />}
      {may('demo.remove') && data.state !== 'removing' && (
        <Button onPress={() => setAsking(true)}>{words.remove}</Button>
      )}
      <Dialog title={words.question} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p className="demo-consequence">{words.consequence}</p>
        {removal.error && <p role="alert">{removal.error.message}</p>}
        <footer>
          <Button onPress={() => setAsking(false)}>{texts.common.cancel}</Button>
          <Button kind="danger" isDisabled={removal.isPending} onPress={() => removal.mutate()}>
            {words.remove}
          </Button>
        </footer>
      </Dialog>
    </section>
  )
}

function sentenceOf({ state, decisions, people }: DemoState): string {
  const { made, making, removing } = texts.demo
  if (state === 'removing') return removing
  return state === 'making' ? making(decisions.toLocaleString('en')) : made(decisions.toLocaleString('en'), people)
}
