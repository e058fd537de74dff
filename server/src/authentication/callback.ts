// Who comes back from a provider? The person is led on to the app with a single-use code, or with the reason why not.

import { type FailureName, Refusal } from '../errors.ts'
import type { Page } from '../http/page.ts'
import type { Platform } from '../platform.ts'
import { claimTry, recordFailure } from '../storage/sign-ins.ts'
import { ChannelFailed, type ChannelFailure, type Proof } from './channel.ts'
import { backToApp } from './redirect-url.ts'
import { leadBack } from './return.ts'
import { refuseUnlessOpen, returnedSignIn, type SignIn } from './transaction.ts'

/** A person waits before an empty page meanwhile. */
const exchangeMs = 10_000

/** What the app reads in `ringfence_error`. */
export type ReturnError =
  | 'access_denied'
  | 'provider_unavailable'
  | 'provider_failed'
  | 'sign_in_expired'
  | 'sign_in_over'

/**
 * GET /auth/v1/oauth/callback. `state` is bound to one sign-in and leads back once: `ringfence_code` is then what the SDK that
 * began the sign-in verifies, or a backend exchanges.
 */
export async function oauthCallback(platform: Platform, query: URLSearchParams): Promise<Page> {
  const signIn = await returnedSignIn(query.get('state') ?? '', platform)
  if (signIn?.content.redirect === undefined || signIn.content.redirectUrl === undefined) return unknownPage
  try {
    await takeReturn(signIn, platform)
    return led(await leadBack(signIn, await proofOf(signIn, query, platform), platform))
  } catch (error) {
    if (error instanceof Refusal) return led(backWithError(signIn, errorOfRefusal[error.failure] ?? 'sign_in_over'))
    if (!(error instanceof ChannelFailed)) throw error
    const channel = signIn.content.redirect.channel
    platform.log.warn({ channel, reason: error.reason, cause: error.message }, 'provider did not confirm a sign-in')
    // A code of a provider is for one exchange, so that the sign-in is over; the person may start another one.
    await recordFailure(platform.database, signIn.record.idHash)
    const denied = query.get('error') === 'access_denied'
    return led(backWithError(signIn, denied ? 'access_denied' : errorOfChannel[error.reason]))
  }
}

/** The one return of a state: of several at once, on whatever servers, one goes on to the provider. */
async function takeReturn({ record }: SignIn, { clock, database }: Platform): Promise<void> {
  const now = clock.now()
  refuseUnlessOpen(record, now)
  if (!(await claimTry(database, record.idHash, 'open', now, 1))) throw new Refusal('signInOver')
}

/** Throws a ChannelFailed. */
async function proofOf({ content }: SignIn, query: URLSearchParams, { channels }: Platform): Promise<Proof> {
  const { channel: name, callbackUrl, secrets } = content.redirect!
  const channel = channels.named(name)
  if (channel?.form !== 'redirect') throw new ChannelFailed('rejected', 'the channel was configured away meanwhile')
  const returnedTo = new URL(`?${query}`, callbackUrl)
  const request = { returnedTo, state: query.get('state') ?? '', callbackUrl, secrets }
  const proof = await channel.finish(request, AbortSignal.timeout(exchangeMs))
  if (proof.identities.some(({ verified }) => verified)) return proof
  throw new ChannelFailed('format', 'the provider verified no identity')
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
  backToApp(content.redirectUrl!, content.transactionId, { error })

const led = (location: string): Page => ({
  status: 303,
  type: 'text/plain; charset=utf-8',
  body: 'You are led back to the app.\n',
  headers: { location, 'cache-control': 'no-store' },
})

/** The address does not tell whose sign-in it is, so that nobody can be led anywhere. */
const unknownPage: Page = {
  status: 400,
  type: 'text/html; charset=utf-8',
  headers: { 'cache-control': 'no-store' },
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign-in not found</title>
<h1>This sign-in is not known here</h1>
<p>Go back to the app and start again.</p>
</html>
`,
}
