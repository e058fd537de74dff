// What went wrong with an identity provider? openid-client's errors in the words of the sign-in channels, without what was sent or received.

import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { ChannelFailed, type ChannelFailure } from '../../channel.ts'

/** Messages hold codes only: causes of openid-client hold tokens and claims. */
export function providerFailure(error: unknown): ChannelFailed {
  if (error instanceof ChannelFailed) return error
  if (error instanceof AuthorizationResponseError) {
    return new ChannelFailed('rejected', `the provider led the person back with the error ${word(error.error)}`)
  }
  if (error instanceof ResponseBodyError) {
    return new ChannelFailed(ofStatus(error.status), `the provider answered ${error.status} ${word(error.error)}`)
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return new ChannelFailed('rejected', `the provider answered ${error.status} and asked for another authentication`)
  }
  if (isLate(error)) return new ChannelFailed('timeout', 'the provider gave no answer in time')
  if (error instanceof ClientError) {
    const { code = 'OAUTH_ERROR', cause } = error
    const status = cause instanceof Object && 'status' in cause ? Number(cause.status) : undefined
    if (status === undefined) return new ChannelFailed('format', `what the provider answered does not hold: ${code}`)
    const reason = code === 'OAUTH_RESPONSE_IS_NOT_JSON' ? 'format' : ofStatus(status)
    return new ChannelFailed(reason, `the provider answered ${status}: ${code}`)
  }
  const code = codes(error).join(' ')
  if (/HPE_|UND_ERR_(RES_EXCEEDED|HEADERS_OVERFLOW|RES_CONTENT_LENGTH)/.test(code)) {
    return new ChannelFailed('format', `what the provider answered cannot be read: ${code}`)
  }
  return new ChannelFailed('unreachable', `the provider cannot be reached: ${code || 'fetch failed'}`)
}

function ofStatus(status: number): ChannelFailure {
  if (status === 429) return 'overloaded'
  return status >= 500 ? 'unreachable' : 'rejected'
}

function* chain(error: unknown): Generator<Error & { code?: unknown }> {
  for (let at = error; at instanceof Error; at = at.cause) yield at
}

const isLate = (error: unknown) =>
  chain(error).some(({ name, code }) => /^(Timeout|Abort)Error$/.test(name) || code === 'UND_ERR_CONNECT_TIMEOUT')

const codes = (error: unknown) =>
  [...chain(error)].flatMap(({ code }) => (typeof code === 'string' ? [code] : [])).slice(0, 3)

/** Error codes of RFC 6749 are such words; anything else a provider, or whoever wrote the address, says is not repeated. */
const word = (text: string) => (/^[a-z_]{1,64}$/.test(text) ? text : 'of no known form')
