// What becomes of an edit that was not saved? Its text is in the browser, per person and tenant, and is offered when they come back.

import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../../api/session.tsx'
import { identityOf } from '../../../api/session-end.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/overlay.tsx'
import { Time } from '../../../parts/values/time.tsx'
import type { Draft } from './use-draft.ts'
import './edit.css'

interface Copy {
  readonly text: string
  readonly basedOn: number
  readonly name: string
  readonly at: string
}

function read(key: string): Copy | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Copy> | null
    const { text, basedOn, name = '', at } = found ?? {}
    return typeof text === 'string' && typeof basedOn === 'number' && typeof at === 'string'
      ? { text, basedOn, name, at }
      : undefined
  } catch {
    return undefined
  }
}

/** Where the copy is. */
export function useCopyKey(): string {
  const { me } = useSession()
  return `ringfence-draft ${me && identityOf(me)}`
}

interface DraftCopyProps {
  draft: Draft
  /** Of the draft. */
  name: string
  onName: (name: string) => void
  /** Whether the edit is in this browser. */
  onKept: (isKept: boolean) => void
}

/** Offers the copy, keeps it up to date, and asks before the page is left. */
export function DraftCopy({ draft, name, onName, onKept }: DraftCopyProps) {
  const { text, basedOn, isChanged, type, rebase } = draft
  const key = useCopyKey()
  const [offered, setOffered] = useState(() => read(key))
  useEffect(() => {
    // What is offered is not overwritten before a person has chosen.
    if (offered || !isChanged || text === undefined) return
    try {
      localStorage.setItem(key, JSON.stringify({ text, basedOn, name, at: new Date().toISOString() } satisfies Copy))
      onKept(true)
    } catch {
      // A browser without space or without storage keeps no copy.
      onKept(false)
    }
  }, [key, offered, isChanged, text, basedOn, name, onKept])
  const leaving = useBlocker({ shouldBlockFn: () => isChanged, withResolver: true, enableBeforeUnload: false })
  return (
    <>
      {offered && offered.text !== text && (
        <div className="edit-conflict" role="status">
          <p>
            <b>An edit was not saved.</b> {offered.name !== '' && `“${offered.name}”, `}from <Time at={offered.at} />,
            stored in this browser.
          </p>
          <Button
            onPress={() => {
              type(offered.text)
              // Who saved meanwhile is found when this is saved.
              rebase(offered.basedOn)
              if (offered.name !== '') onName(offered.name)
              setOffered(undefined)
            }}
          >
            Restore it
          </Button>
          <Button
            kind="quiet"
            onPress={() => {
              localStorage.removeItem(key)
              setOffered(undefined)
            }}
          >
            Discard it
          </Button>
        </div>
      )}
      <Dialog
        title="Leave without saving?"
        isOpen={leaving.status === 'blocked'}
        onClose={() => leaving.status === 'blocked' && leaving.reset()}
      >
        <p className="dim">
          {offered
            ? 'What you changed now is lost: an earlier edit is still waiting to be restored or discarded.'
            : 'Your changes stay in this browser, and are offered when you edit the rules again.'}
        </p>
        <footer>
          <Button onPress={() => leaving.status === 'blocked' && leaving.reset()}>Stay</Button>
          <Button kind="primary" onPress={() => leaving.status === 'blocked' && leaving.proceed()}>
            Leave
          </Button>
        </footer>
      </Dialog>
    </>
  )
}
