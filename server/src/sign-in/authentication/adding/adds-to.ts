// May this sign-in add an identity to the user of a token (`linkTo`)? Only on the page or installation where that user just signed in.

import type { SignInStartRequest, TokenVerification } from '@ringfence/contract'
import { Refusal } from '../../../core/errors.ts'
import type { Analysis } from '../../../device/analysis/analyse.ts'
import { analysisOf, latestAnalysisOf } from '../../../device/store/find-analysis.ts'
import { type AcceptedToken, acceptToken } from '../../tokens/exchange.ts'
import type { SignInNeeds } from '../room.ts'
import type { AddsTo, SignInContext } from '../sign-in-context.ts'

/** What the user did before may be copied from a page that they left open. */
const longestMs = 5 * 60_000

/** The context of a start, with the user of `linkTo`. Refuses with `linkToRefused`. */
export async function addingTo(
  { linkTo, channel, dfrId }: Pick<SignInStartRequest, 'linkTo' | 'channel' | 'dfrId'>,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<SignInContext> {
  if (linkTo === undefined) return context
  if (channel === 'SILENT') throw refused('is for OTP, MAGIC_LINK and OAUTH; start one of these')
  const { text, basis } = await accepted(linkTo, context, needs)
  const { personId, sessionId, analysis: of } = basis
  if (text === undefined || personId === undefined)
    throw refused('must be the token of a sign-in with the SDK, such as user.token')
  const { timestamp }: Pick<TokenVerification, 'timestamp'> = JSON.parse(text)
  if (needs.clock.now() - Date.parse(timestamp) > longestMs) throw refused(tooOld)
  const [ofToken, here] = await Promise.all([
    of && analysisOf({ requestId: of.requestId }, { tenantId: context.tenantId }, needs),
    analysisHere(dfrId, context, needs),
  ])
  const isSameSession = sessionId !== undefined && sessionId === context.sessionId
  if (!isSameSession && !isSameInstallation(here, installationOf(ofToken))) throw refused(elsewhere)
  const installation = installationOf(here)
  return { ...context, addsTo: { personId, ...(installation !== undefined && { installation }) } }
}

/** Refuses with `linkToRefused` when the sign-in is completed elsewhere. `analysis`: of the session that completes it. */
export function refuseElsewhere(
  { sessionId: startedIn, addsTo }: { readonly sessionId?: string; readonly addsTo?: AddsTo },
  analysis: Analysis | undefined,
  { sessionId }: SignInContext,
): void {
  if (!addsTo || (sessionId !== undefined && sessionId === startedIn)) return
  const isHere = analysis?.sessionId === sessionId && isSameInstallation(analysis, addsTo.installation)
  if (!isHere) throw refused(completedElsewhere)
}

const installationOf = (analysis: Analysis | undefined) => analysis?.installationId ?? analysis?.deviceId

/** Proved by its key, or by the token of a browser: everybody can copy the ids of a phone, and make one device resemble another. */
function isSameInstallation(analysis: Analysis | undefined, installation: string | undefined): boolean {
  if (!analysis || installation === undefined || installationOf(analysis) !== installation) return false
  const { identification, platform } = analysis
  return identification?.by === 'key' || (identification?.by === 'token' && platform === 'WEB')
}

async function accepted(token: string, { tenantId }: SignInContext, needs: SignInNeeds): Promise<AcceptedToken> {
  try {
    return await acceptToken(token, 'login', tenantId, needs)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw refused(error.failure === 'tokenExpired' ? tooOld : notAccepted, error)
  }
}

/** Of this session: an analysis of another one says nothing about who starts this. */
async function analysisHere(
  dfrId: string | undefined,
  { sessionId, tenantId, appId }: SignInContext,
  needs: SignInNeeds,
): Promise<Analysis | undefined> {
  if (sessionId === undefined) return undefined
  const owner = { tenantId, appId }
  const sent = dfrId === undefined ? undefined : await analysisOf({ dfrId }, owner, needs)
  return sent?.sessionId === sessionId ? sent : (await latestAnalysisOf(sessionId, owner, needs))?.analysis
}

const signInAgain = 'let the user sign in again, and start within five minutes with the new token'
const notAccepted = `is unknown, used up or revoked; ${signInAgain}`
const tooOld = `is older than five minutes; ${signInAgain}`
const elsewhere = `is of a sign-in on another page or device. On this page, ${signInAgain}. After a page load, use deviceFingerprintMode SYNC in both sign-ins`
const completedElsewhere =
  'was sent by another page or device than this one. Complete the sign-in where it was started. After a page load, use deviceFingerprintMode SYNC'

const refused = (mistake: string, cause?: unknown) => new Refusal('linkToRefused', { mistake, cause })
