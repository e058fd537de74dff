// Who came back to this browser? Exchanges the code of a return URL, bound to the sign-in that the browser's session started.

import { createHash, randomBytes } from 'node:crypto'
import { type Answer, readBody } from './answer.ts'
import { callSending } from './call.ts'
import { RingfenceError } from './error.ts'
import { type CallOptions, refuseUnknown, type Settings, settingsOfCall } from './settings.ts'
import type { Shape } from './shape.ts'

/** Store the verifier in the session of this browser, and give the page the challenge for its start. (RFC 7636) */
export function newCodeVerifier(): { codeVerifier: string; codeChallenge: string } {
  const codeVerifier = randomBytes(32).toString('base64url')
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') }
}

interface ReturnedCode {
  /** `ringfence_code` of the return URL; `code` of a magic link that your backend ordered. */
  readonly code: string
  /** If given, it must be the redirectUrl of the sign-in. */
  readonly redirectUri?: string | undefined
}

/** What the session of this browser stored when the sign-in started. `undefined`: it started none. Never take it from the return URL. */
export type CodeExchangeRequest =
  | (ReturnedCode & {
      /** Of `newCodeVerifier`. */
      readonly codeVerifier: string | undefined
      readonly transactionId?: never
    })
  | (ReturnedCode & {
      /** For a start without a challenge: its `transactionId`; of a magic link that your backend ordered, `requestIds[0].value`. */
      readonly transactionId: string | undefined
      readonly codeVerifier?: never
    })

/** As in RFC 6749, 5.1. */
export interface CodeExchange {
  readonly id_token: string
  /** The token of the user object, for `validateToken`. */
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Lifetime of the access token in seconds. */
  readonly expires_in: number
}

const text = { type: 'string' } as const
const answer: Shape = {
  type: 'object',
  required: ['id_token', 'access_token', 'token_type', 'expires_in'],
  properties: { id_token: text, access_token: text, token_type: text, expires_in: { type: 'integer' } },
}
const names = ['code', 'redirectUri', 'codeVerifier', 'transactionId']

/** Without what the browser's session stored, nothing is sent: the return URL may be that of somebody else. */
export async function exchangeCode(
  request: CodeExchangeRequest,
  options: CallOptions,
  clientSettings: Settings,
): Promise<Answer<CodeExchange>> {
  refuseUnknown(request, names, 'exchangeCode')
  const { code, redirectUri, codeVerifier, transactionId } = request
  if (!code || !(codeVerifier || transactionId)) {
    throw new RingfenceError(
      'invalid_code',
      'This browser came back with no code, or to no sign-in that its session started: let the person start again',
    )
  }
  const settings = settingsOfCall(clientSettings, options)
  const body = { code, redirect_uri: redirectUri, code_verifier: codeVerifier, transaction_id: transactionId }
  const sending = callSending(
    {
      method: 'POST',
      url: `${settings.authUrl}/auth/v1/oauth/token`,
      type: 'application/json',
      body: JSON.stringify(body),
    },
    { isRepeatable: false, ...options },
    settings,
  )
  return sending((raw, requestId) => readBody<CodeExchange>(raw, answer, requestId))
}
