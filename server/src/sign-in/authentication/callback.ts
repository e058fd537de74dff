// Who comes back from an identity provider? The person is redirected to the app with a single-use code or an error.

import type { FailureName } from '@ringfence/contract'
import type { Core } from '../../core/core.ts'
import { Refusal } from '../../core/errors.ts'
import type { Page } from '../../core/pages/page.ts'
import { cameBackTo } from '../../upstream/oauth/callback-url.ts'
import { claimAttempt, failureUpdate } from '../store/sign-ins.ts'
import { ChannelFailed, type ChannelFailure, type Proof } from './channel.ts'
import { backToApp } from './redirect-url.ts'
import { redirectWithCode } from './return-code.ts'
import type { SignInNeeds } from './room.ts'
import { failed, placeOf } from './sign-in-events.ts'
import { callbackPath } from './start-by-redirect.ts'
import { refuseUnlessOpen, returnedSignIn, type SignIn } from './transaction.ts'

/** The person looks at an empty page during this time. */
const exchangeMs = 10_000

/** What the app reads in `ringfence_error`. */
export type ReturnError =
  | 'access_denied'
  | 'provider_unavailable'
  | 'provider_failed'
  | 'sign_in_expired'
  | 'sign_in_over'
  // SILENT: the phone has another number, or used another network.
  | 'number_not_verified'
  | 'not_on_mobile_network'

/**
 * GET /auth/v1/oauth/callback/{connection}. `state` belongs to one sign-in and is accepted once. The SDK that started the sign-in
 * verifies the `ringfence_code`, or a backend exchanges it.
 */
export async function oauthCallback(needs: SignInNeeds, query: URLSearchParams, connection: string): Promise<Page> {
  const signIn = await returnedSignIn(query.get('state') ?? '', needs)
  if (signIn?.content.redirect === undefined || signIn.content.redirectUrl === undefined) return unknownPage
  const { channel: name, callbackUrl } = signIn.content.redirect
  if (!cameBackTo(callbackUrl, connection, callbackPath)) return elsewherePage(needs, callbackUrl, name)
  try {
    await claimReturn(signIn, needs)
    return redirect(await redirectWithCode(signIn, await proofOf(signIn, query, needs), needs))
  } catch (error) {
    if (error instanceof Refusal)
      return redirect(backWithError(signIn, errorOfRefusal[error.failure] ?? 'sign_in_over'))
    if (!(error instanceof ChannelFailed)) throw error
    const channel = signIn.content.redirect.channel
    const { reason, message: cause } = error
    needs.log.warn({ channel, reason, cause }, 'the identity provider did not confirm a sign-in')
    // The provider's code can be exchanged only once, so this sign-in is over. The person can start
    // a new one.
    const denied = query.get('error') === 'access_denied'
    const event = failed(placeOf(signIn), { reason: denied ? 'ACCESS_DENIED' : 'PROVIDER_FAILED' })
    const { idHash, tenantId } = signIn.record
    await needs.database.batch([failureUpdate(idHash), ...(await needs.events.statements(tenantId, [event]))])
    return redirect(backWithError(signIn, denied ? 'access_denied' : errorOfChannel[error.reason]))
  }
}

/** Accepts a state once: of several returns at once, on any servers, only one continues. */
export async function claimReturn({ record }: SignIn, { clock, database }: SignInNeeds): Promise<void> {
  const now = clock.now()
  refuseUnlessOpen(record, now)
  if (!(await claimAttempt(database, record.idHash, now, 1))) throw new Refusal('signInOver')
}

/** Throws a ChannelFailed. */
async function proofOf(
  { content }: SignIn,
  query: URLSearchParams,
  { signIn: { channels } }: SignInNeeds,
): Promise<Proof> {
  const { channel: name, callbackUrl, secrets } = content.redirect!
  const channel = channels.named(name)
  if (channel?.form !== 'redirect')
    throw new ChannelFailed('rejected', 'the channel was removed from the configuration during the sign-in')
  const returnedTo = new URL(`?${query}`, callbackUrl)
  const request = { returnedTo, state: query.get('state') ?? '', callbackUrl, secrets }
  const proof = await channel.finish(request, AbortSignal.timeout(exchangeMs))
  if (proof.identities.some(({ verified }) => verified)) return proof
  throw new ChannelFailed('format', 'the identity provider verified no identity')
}

const errorOfChannel: Readonly<Record<ChannelFailure, ReturnError>> = {
  timeout: 'provider_unavailable',
  unreachable: 'provider_unavailable',
  overloaded: 'provider_unavailable',
  rejected: 'provider_failed',
  format: 'provider_failed',
}

const errorOfRefusal: Partial<Record<FailureName, ReturnError>> = { signInExpired: 'sign_in_expired' }

const backWithError = ({ content }: SignIn, error: ReturnError): string =>
  backToApp(content.redirectUrl!, content.transactionId, { ringfence_error: error })

const redirect = (location: string): Page => ({
  status: 303,
  type: 'text/plain; charset=utf-8',
  body: 'You are being redirected to the app.\n',
  headers: { location, 'cache-control': 'no-store' },
})

const errorPage = (heading: string, advice: string): Page => ({
  status: 400,
  type: 'text/html; charset=utf-8',
  headers: { 'cache-control': 'no-store' },
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign-in not found</title>
<h1>${heading}</h1>
<p>${advice}</p>
</html>
`,
})

/** The state identifies no sign-in, so there is no app to redirect to. */
export const unknownPage: Page = errorPage('We could not find this sign-in', 'Go back to the app and start again.')

/** Somebody mixes up two servers, or one of them has the URL of the other registered. The code is sent nowhere. */
export function elsewherePage({ log }: Pick<Core, 'log'>, redirectUri: string, connection: string): Page {
  log.warn(
    { connection, redirectUri },
    'the answer of an authorization server arrived at another callback URL, and was not used',
  )
  return errorPage(
    'This sign-in belongs to another address',
    'Nothing was sent on. Go back to the app and start again. If this repeats, the service must register its new redirect URI; its log names it.',
  )
}
