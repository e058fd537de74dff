// Is what the pages show real? In the tenant of the demo, a line above every page says so, and leads back; before the first own decision, a line leads there.

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useChangeTenant, useMay, useSession } from '../api/session.tsx'
import type { DemoState } from '../api/types.ts'
import { useAct, useRead } from '../api/use-call.ts'
import { useIsFirstRun } from '../pages/start/first-run.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/overlay.tsx'
import { locale } from '../parts/values/locale.ts'
import { texts } from '../texts.ts'
import './demo-banner.css'

/** Only while something is in progress, which takes a minute or two. */
const progressEveryMs = 5_000

const isInProgress = (state: DemoState['state'] | undefined) => state === 'making' || state === 'removing'

export function DemoBanner() {
  const { call, me } = useSession()
  const may = useMay()
  const client = useQueryClient()
  const changeTenant = useChangeTenant()
  const isFirstRun = useIsFirstRun()
  const [isAsking, setAsking] = useState(false)
  const { data } = useRead(
    'readDemo',
    {},
    {
      staleTime: 60_000,
      refetchInterval: ({ state }) => (isInProgress(state.data?.state) ? progressEveryMs : false),
    },
  )
  const removal = useAct({
    mutationFn: () => call('removeDemo', {}, { tenantId: data?.madeFor }),
    onSuccess: () => changeTenant(data!.madeFor!),
  })
  const before = useRef(data?.state)
  useEffect(() => {
    // What the pages show has grown.
    if (isInProgress(before.current) && !isInProgress(data?.state)) void client.invalidateQueries()
    before.current = data?.state
  }, [client, data?.state])
  if (!data?.tenantId || !me) return null
  const words = texts.demo
  const isHere = data.tenantId === me.tenant.tenantId
  const other = me.tenants.find(({ tenantId }) => tenantId === (isHere ? data.madeFor : data.tenantId))
  // Whoever works in the own tenant finds the demo in the menu of the account.
  if (!isHere && !(other && isFirstRun)) return null
  return (
    <section className="demo-banner" aria-label={words.title}>
      <p>
        <b>{words.title}</b> <span>{sentenceOf(data)}</span>
      </p>
      {data.state === 'making' && <progress value={data.progress} max={1} aria-label={words.progress} />}
      {other && (
        <Button onPress={() => changeTenant(other.tenantId)}>{isHere ? words.leave(other.name) : words.open}</Button>
      )}
      {isHere && other && may('demo.remove') && data.state !== 'removing' && (
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
  return state === 'making' ? making(decisions.toLocaleString(locale)) : made(decisions.toLocaleString(locale), people)
}
