// Which checks does the sandbox answer as their rows in the contract say? The others have routes of their own.

import { type AnyCheck, type CheckSandbox, checks, operatorCheckNames } from '@ringfence/contract'

/** The rows with a sandbox, and the paths of their calls. */
export const playedChecks = operatorCheckNames.flatMap((name) => {
  const { camara, sandbox }: AnyCheck = checks[name]
  return camara && sandbox ? [{ name, camara, sandbox: sandbox as CheckSandbox<unknown> }] : []
})

export const playedCalls = playedChecks.flatMap(({ camara: { path, calls } }) =>
  calls.map(({ resource, scope }) => ({ path: `${path}/${resource}`, scope })),
)
