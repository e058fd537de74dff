// What is still to do before the first decision? On the overview until it is done, or until the person hides it.

import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../api/session.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { LoadingScript } from '../../parts/empty.tsx'
import { texts } from '../../texts.ts'
import { useIsFirstRun } from '../start/first-run.ts'
import './overview.css'

const FirstRun = lazy(() => import('../start/first-run-list.tsx').then((module) => ({ default: module.FirstRun })))

const hiddenKey = 'ringfence-first-steps-hidden'

/** Hidden for this person and tenant, in this browser; the page of the steps stays in the navigation. */
export function FirstSteps() {
  const { me } = useSession()
  const isFirstRun = useIsFirstRun()
  const who = `${me?.tenant.tenantId} ${me?.person?.personId}`
  const [hidden, setHidden] = useState(() => localStorage.getItem(hiddenKey))
  if (!isFirstRun || hidden === who) return null
  const hide = () => {
    localStorage.setItem(hiddenKey, who)
    setHidden(who)
  }
  return (
    <div className="overview-first">
      <Card
        title={texts.pages.start}
        aside={
          <Button kind="quiet" onPress={hide}>
            Hide
          </Button>
        }
      >
        <Suspense fallback={<LoadingScript />}>
          <FirstRun />
        </Suspense>
      </Card>
    </div>
  )
}
