// Which phone returned from its operator to a client of our CAMARA API? It is redirected there with a code of ours, or with an error.

import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import type { Page } from '../../core/pages/page.ts'
import { elsewherePage, unknownPage } from '../../sign-in/authentication/callback.ts'
import { finishVerification, isOwnReturn } from '../../telecom/number-verification/verification.ts'
import { type AuthorizationAnswer, answerOf } from '../../upstream/oauth/code-flow.ts'
import type { CamaraFrontNeeds } from '../room.ts'
import { readScope } from '../scope.ts'
import { consentOf } from '../stated-consent.ts'
import { statePrefix } from './authorize.ts'
import { backToClient } from './back-to-client.ts'
import { redirectError } from './redirect-errors.ts'
import { newSecret, openStep, type Step, takeStep } from './steps.ts'

/** RFC 6749, 4.1.2 recommends ten minutes at most; operators' own codes often live for one. */
const codeLifetimeMs = 60_000

/** Undefined when the state is not that of a client of our CAMARA API. */
export async function operatorReturn(
  needs: CamaraFrontNeeds,
  query: URLSearchParams,
  connection: string,
): Promise<Page | undefined> {
  const state = query.get('state') ?? ''
  if (!state.startsWith(statePrefix)) return undefined
  const step = await takeStep('authorization', state, needs)
  if (!step) return unknownPage
  const { content, ...owner } = step
  const { begun } = content
  if (!isOwnReturn(begun, connection)) return elsewherePage(needs, begun.redirectUri, begun.connector)
  const returned = answerOf(query)
  if (returned.error !== undefined || returned.code === undefined)
    return backToClient(content.request, await refusalOf(step, returned, needs), needs)
  const code = newSecret()
  await openStep('code', code, { ...owner, content: { ...content, returned }, lifetimeMs: codeLifetimeMs }, needs)
  return backToClient(content.request, { code }, needs)
}

/** What the operator refused is counted and recorded like any verification that failed; it is not asked. */
async function refusalOf(
  { tenantId, clientId, content }: Step<'authorization'>,
  returned: AuthorizationAnswer,
  needs: CamaraFrontNeeds,
): Promise<{ error: string; error_description: string }> {
  const requestId = randomUUID()
  const call = {
    ...{ requestId, correlator: requestId, signal: AbortSignal.timeout(1000) },
    ...{ caller: { tenantId, clientId }, provenance: { sandbox: false } },
  }
  const consent = consentOf(readScope(content.request.scope), tenantId, needs)
  try {
    await finishVerification(content.begun, { error: returned.error, iss: returned.iss }, { ...call, consent }, needs)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return redirectError(error) ?? withoutCode
  }
  throw new Error('a verification without a code has an answer')
}

const withoutCode = {
  error: 'server_error',
  error_description: 'the operator redirected the phone without a code',
}
