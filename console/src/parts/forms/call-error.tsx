// Why was what a person has just done refused? In a few words beside the button: what they typed stays in sight.

import { CallFailed, problemName } from '../../api/problem.ts'
import { useSession } from '../../api/session.tsx'
import { isOfEndedSession } from '../../api/session-end.ts'
import { texts } from '../../texts.ts'

const { problems } = texts

export function CallError({ error }: { error: unknown }) {
  const { me } = useSession()
  const problem = error instanceof CallFailed ? error.problem : undefined
  // The sign-in over the page says it, and nothing is left to say after it.
  if (me?.session && isOfEndedSession(error)) return null
  const isBroken = problem !== undefined && problem.status >= 500
  return (
    <p className="call-error" role="alert">
      {textOf(error)}
      {isBroken && (
        <small>
          {problems.requestId} <code>{problem.requestId}</code>
        </small>
      )}
    </p>
  )
}

function textOf(error: unknown): string {
  if (!(error instanceof CallFailed)) return error instanceof Error ? error.message : String(error)
  if (!error.problem) return `${problems.unreachable}. ${problems.unreachableAgain}`
  return problemName(error) === 'permission-missing'
    ? `${problems.notAllowed}. ${problems.notAllowedHelp}`
    : error.problem.detail
}
