// Which CAMARA calls does the sandbox answer? Those of every check, in each version, and of Number Verification.

import {
  type AnyCamaraApi,
  type CamaraApiName,
  type CamaraVersion,
  camaraPath,
  checks,
  numberVerificationApi,
  type OperatorCheckName,
  operatorCheckNames,
  versionsOf,
} from '@ringfence/contract'

export interface PlayedCall {
  readonly path: string
  /** Each of them allows the call: its own scope, and the name of its API. */
  readonly scopes: readonly [string, string]
}

export interface CheckCall extends PlayedCall {
  readonly check: OperatorCheckName
  readonly api: AnyCamaraApi
  readonly version: CamaraVersion
  readonly call: AnyCamaraApi['calls'][number]
}

interface Api {
  readonly api: CamaraApiName
  readonly calls: readonly { readonly resource: string; readonly scope: string }[]
}

const callsOf = <Of extends Api>(of: Of) =>
  versionsOf(of.api).flatMap((version) =>
    (of.calls as Of['calls']).map((call) => ({
      ...{ api: of, version, call: call as Of['calls'][number] },
      path: `${camaraPath(of.api, version)}/${call.resource}`,
      scopes: [call.scope, of.api] as [string, string],
    })),
  )

export const checkCalls: readonly CheckCall[] = operatorCheckNames.flatMap((check) => {
  const api: AnyCamaraApi | undefined = checks[check].camara
  return api ? callsOf(api).map((call) => ({ ...call, check })) : []
})

const { api, verify, share } = numberVerificationApi

export const playedCalls: readonly PlayedCall[] = [...checkCalls, ...callsOf({ api, calls: [verify, share] })]
