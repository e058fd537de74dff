// Which CAMARA calls does the sandbox answer, and which checks as their rows in the contract say? The others have code of their own.

import {
  type AnyCheck,
  type CheckSandbox,
  checks,
  numberVerificationApi,
  type OperatorCheckName,
  operatorCheckNames,
} from '@ringfence/contract'

/** The rows with a sandbox. */
export const playedChecks = operatorCheckNames.flatMap((name) => {
  const { camara, sandbox }: AnyCheck = checks[name]
  return camara && sandbox ? [{ name, camara, sandbox: sandbox as CheckSandbox<unknown> }] : []
})

export interface PlayedCall {
  readonly path: string
  /** Each of them allows the call: its own scope, and the name of its API. */
  readonly scopes: readonly [string, string]
}

interface Api {
  readonly api: string
  readonly path: string
  readonly calls: readonly { readonly resource: string; readonly scope: string }[]
}

const callOf = ({ api, path }: Api, { resource, scope }: Api['calls'][number]): PlayedCall => ({
  path: `${path}/${resource}`,
  scopes: [scope, api],
})

const { verify, share } = numberVerificationApi

/** Those of all checks, and of Number Verification. */
export const playedCalls: readonly PlayedCall[] = [
  ...operatorCheckNames.flatMap((name) => (checks[name] as AnyCheck).camara ?? []),
  { ...numberVerificationApi, calls: [verify, share] },
].flatMap((api: Api) => api.calls.map((call) => callOf(api, call)))

/** A call of a check. */
export function playedCall(check: OperatorCheckName, resource: string): PlayedCall {
  const { camara }: AnyCheck = checks[check]
  const call = camara?.calls.find((candidate) => candidate.resource === resource)
  if (!camara || !call) throw new Error(`${check} has no call ${resource}`)
  return callOf(camara, call)
}
