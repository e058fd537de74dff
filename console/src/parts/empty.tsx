// What does a page show when there is nothing yet, while it loads, or when a call failed? Each says what to do next.

import type { ReactNode } from 'react'
import { CallFailed, problemName } from '../api/problem.ts'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  icon: IconName
  title: string
  /** What will be here, and how to get there. */
  children: ReactNode
  action?: ReactNode
}

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={20} />
      </span>
      <h2>{title}</h2>
      <div className="dim">{children}</div>
      {action}
    </div>
  )
}

/** Grey lines in place of what is being read. */
export function Loading({ lines = 5 }: { lines?: number | undefined }) {
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line) => (
        <i key={line} />
      ))}
    </div>
  )
}

/** The same for a script: no call fails, so its delay alone says that something is wrong. */
export const LoadingScript = ({ lines }: { lines?: number }) => (
  <>
    <Loading lines={lines} />
    <p className="late-script in-page">{texts.problems.lateScript}.</p>
  </>
)

/** A script or a sheet of the page was not there; browsers and Vite say so each in their own way. */
const isUnloaded = (error: unknown) =>
  error instanceof Error && /preload CSS|imported module|module script/i.test(error.message)

/** Says what is wrong, and what to do; a temporary failure can be tried again. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const problem = error instanceof CallFailed ? error.problem : undefined
  const isUnreachable = error instanceof CallFailed && !problem
  const isForbidden = problemName(error) === 'permission-missing'
  const title = isUnreachable
    ? texts.problems.unreachable
    : isForbidden
      ? texts.problems.notAllowed
      : (problem?.title ?? 'The page has failed')
  const detail = isUnreachable
    ? texts.problems.unreachableHelp
    : isForbidden
      ? texts.problems.notAllowedHelp
      : (problem?.detail ?? (isUnloaded(error) ? `${texts.problems.lateScript}.` : String(error)))
  return (
    <div className="empty" role="alert">
      <span className="empty-icon failed">
        <Icon name="warning" size={20} />
      </span>
      <h2>{title}</h2>
      <p className="dim">{detail}</p>
      {problem && (
        <p className="empty-id">
          {texts.problems.requestId} <code>{problem.requestId}</code>
        </p>
      )}
      {onRetry && !isForbidden && <Button onPress={onRetry}>{texts.common.retry}</Button>}
    </div>
  )
}
