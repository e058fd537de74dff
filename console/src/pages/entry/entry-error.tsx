// Why does nobody get in? What the service says, or that it was not reached.

import { CallFailed } from '../../api/problem.ts'
import { texts } from '../../texts.ts'

export function EntryError({ error }: { error: Error }) {
  const problem = error instanceof CallFailed ? error.problem : undefined
  return (
    <p className="entry-error" role="alert">
      {problem?.detail ?? texts.problems.unreachableHelp}
    </p>
  )
}
