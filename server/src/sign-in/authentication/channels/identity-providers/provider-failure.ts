// What went wrong with an identity provider? Maps errors of openid-client to ChannelFailed.

import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { AnswerRefused } from '../../../../upstream/oauth/code-flow.ts'
import { ChannelFailed, type ChannelFailure } from '../../channel.ts'

/** Messages contain only codes, because openid-client's causes contain tokens and claims. */
export function providerFailure(error: unknown): ChannelFailed {
  if (error instanceof ChannelFailed) return error
  if (error instanceof AnswerRefused) return new ChannelFailed('format', error.message)
  if (error instanceof AuthorizationResponseError) {
    return new ChannelFailed(
      'rejected',
      `the identity provider redirected the person with the error ${errorCode(error.error)}`,
    )
  }
  if (error instanceof ResponseBodyError) {
    return new ChannelFailed(
      ofStatus(error.status),
      `the identity provider answered ${error.status} ${errorCode(error.error)}`,
    )
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return new ChannelFailed(
      'rejected',
      `the identity provider answered ${error.status} and requires another authentication`,
    )
  }
  if (isTimeout(error)) return new ChannelFailed('timeout', 'the identity provider did not answer in time')
  if (error instanceof ClientError) {
    const { code = 'OAUTH_ERROR', cause } = error
    const status = cause instanceof Object && 'status' in cause ? Number(cause.status) : undefined
    if (status === undefined) return new ChannelFailed('format', `the identity provider's answer is not valid: ${code}`)
    const reason = code === 'OAUTH_RESPONSE_IS_NOT_JSON' ? 'format' : ofStatus(status)
    return new ChannelFailed(reason, `the identity provider answered ${status}: ${code}`)
  }
  const code = codes(error).join(' ')
  if (/COMPRESSED|HPE_|UND_ERR_(RES_EXCEEDED|HEADERS_OVERFLOW|RES_CONTENT_LENGTH)/.test(code)) {
    return new ChannelFailed('format', `the identity provider's answer cannot be read: ${code}`)
  }
  return new ChannelFailed('unreachable', `the identity provider cannot be reached: ${code || 'fetch failed'}`)
}

function ofStatus(status: number): ChannelFailure {
  if (status === 429) return 'overloaded'
  return status >= 500 ? 'unreachable' : 'rejected'
}

function* chain(error: unknown): Generator<Error & { code?: unknown }> {
  for (let at = error; at instanceof Error; at = at.cause) yield at
}

const isTimeout = (error: unknown) =>
  chain(error).some(({ name, code }) => /^(Timeout|Abort)Error$/.test(name) || code === 'UND_ERR_CONNECT_TIMEOUT')

const codes = (error: unknown) =>
  [...chain(error)].flatMap(({ code }) => (typeof code === 'string' ? [code] : [])).slice(0, 3)

/** Only text that looks like an error code of RFC 6749 is logged: anyone can write into the URL. */
const errorCode = (text: string) => (/^[a-z_]{1,64}$/.test(text) ? text : 'of an unknown form')
