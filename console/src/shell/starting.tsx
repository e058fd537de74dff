// What is painted before the service has answered? The frame of the console where somebody was signed in, else the mark.

import { useEffect, useState } from 'react'
import { Loading } from '../parts/empty.tsx'
import { texts } from '../texts.ts'
import { Mark } from './brand.tsx'
import { wasSignedIn } from './known.ts'
import './shell.css'

/** From then on it is said that there is no answer. */
const silentMs = 1_500

export function Starting({ isUnreachable = false }: { isUnreachable?: boolean }) {
  const isSlow = useIsSlow()
  const note = isUnreachable ? texts.problems.unreachable : isSlow ? texts.problems.silent : undefined
  const said = note && (
    <p className="unreachable" role="alert">
      {note}. {texts.problems.unreachableAgain}
    </p>
  )
  if (!wasSignedIn())
    return (
      <div className="starting">
        <div role="status" aria-label="Loading">
          <Mark size={36} />
        </div>
        {said}
      </div>
    )
  const brand = (
    <span className="brand">
      <Mark />
      {texts.product}
    </span>
  )
  return (
    <div className="shell">
      <header className="topbar">{brand}</header>
      <header className="sidebar">
        {brand}
        <Loading lines={9} />
      </header>
      <main>
        {said}
        <Loading lines={9} />
      </main>
    </div>
  )
}

function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), silentMs)
    return () => clearTimeout(timer)
  }, [])
  return isSlow
}
