// How is a token issued, for users who sign in here and for those that a backend signed in itself?

import type {
  IdentityClaim,
  IssuedToken,
  IssueTokenRequest,
  SecureInfoResult,
  TokenVerification,
} from '@ringfence/contract'
import { confirmDevice, countNamed } from '../../accounts/devices/confirm.ts'
import { provenNumber } from '../../accounts/session.ts'
import type { Call } from '../../clients/call.ts'
import type { Core } from '../../core/core.ts'
import { seal } from '../../core/crypto/sealed-text.ts'
import { Refusal } from '../../core/errors.ts'
import type { NewEvent } from '../../core/event-recorder.ts'
import type { BatchStatement } from '../../core/storage/database.ts'
import { collected } from '../../device/analysis/views.ts'
import { sameVisitMs } from '../../device/history/retention.ts'
import { analysisOf } from '../../device/store/find-analysis.ts'
import { type TokenKey, type TokenView, tokenInsert } from '../store/tokens.ts'
import { joinContent, type TokenBasis } from './basis.ts'
import type { TokensNeeds } from './room.ts'
import { makeToken, sealingContext, tokenKey, tokenSealingKey } from './token.ts'

/** What a token can be exchanged for. */
export interface TokenContent {
  tenantId: string
  /** The answer of token verification. Absent for a token without a login. */
  login?: Omit<TokenVerification, 'token' | 'status'>
  /** The answer of secure info. Absent when nothing was collected. */
  device?: Omit<SecureInfoResult, 'status'>
  /** Never leaves the server. */
  basis?: TokenBasis
}

/** Returns after the token is durable, so that every server can exchange it at once. */
export async function issue(
  content: TokenContent,
  needs: Pick<Core, 'clock' | 'settings' | 'database' | 'events'>,
): Promise<IssuedToken> {
  const { issued, insert, event } = newToken(content, needs)
  const { database, events } = needs
  const isWanted = await events.wants(content.tenantId, 'token.issued')
  if (isWanted) await database.batch([insert, ...(await events.statements(content.tenantId, [event]))])
  else await database.query(insert.sql, insert.params)
  return issued
}

export interface NewToken {
  readonly issued: IssuedToken
  readonly insert: BatchStatement
  readonly tokenId: string
  /** Belongs into the same commit. */
  readonly event: NewEvent
}

/** What events say in place of a token. */
export const tokenIdOf = ({ hash }: Pick<TokenKey, 'hash'>): string => Buffer.from(hash).toString('hex')

/** A token that is valid once `insert` is durable. */
export function newToken(
  { tenantId, login, device, basis }: TokenContent,
  { clock, settings }: Pick<Core, 'clock' | 'settings'>,
): NewToken {
  const now = clock.now()
  const expiresAt = now + settings.tokenLifetimeSeconds * 1000
  const token = makeToken(expiresAt)
  const key = tokenSealingKey(token)
  // Sealed as the JSON text of the answer, so that an exchange needs no parsing.
  const sealed = (view: TokenView, answer: object | undefined, beside?: TokenBasis) => {
    if (!answer) return null
    const content = joinContent(JSON.stringify({ status: 'SUCCESS', ...answer }), beside)
    return seal(key, Buffer.from(content), sealingContext(tenantId, view))
  }
  const stored = tokenKey(token, now)!
  const insert = tokenInsert({
    ...stored,
    tenantId,
    expiresAt,
    singleUse: settings.tokenUses === 'once',
    sealedLogin: sealed('login', login, basis),
    sealedDevice: sealed('device', device),
  })
  const issued = { token, expiresAt: new Date(expiresAt).toISOString() }
  const tokenId = tokenIdOf(stored)
  const user = login && eventUser(login.userId, basis?.personId)
  const event: NewEvent = {
    type: 'token.issued',
    data: { tokenId, ...user, expiresAt: issued.expiresAt },
    orderedBy: `token ${tokenId}`,
    subjects: { userId: user?.userId },
  }
  return { issued, insert, tokenId, event }
}

/** How an event names who signed in: by the id that the integrator knows, and by the minted one where they differ. */
export const eventUser = (userId: string, personId: string | undefined) => ({
  userId,
  ...(personId !== undefined && personId !== userId && { personId }),
})

/**
 * POST /auth/v1/tokens. `timestamp` is now. `requestId` names an engine call of one of the tenant's apps, whose device results are added to
 * the token and whose device is confirmed for the user, unless `userVerified` is false. Refuses with `deviceAnalysisUnknown` when it is
 * unknown or too old.
 */
export async function issueToken(body: IssueTokenRequest, call: Call, needs: TokensNeeds): Promise<IssuedToken> {
  for (const identity of body.identities) checkIdentity(identity)
  const { tenantId } = call.caller
  const analysis = await analysisOfCall(body.requestId, tenantId, needs)
  const collectedData = analysis && collected(analysis)
  const login = {
    userId: body.userId,
    timestamp: new Date(needs.clock.now()).toISOString(),
    identities: body.identities,
    ...collectedData?.login,
  }
  const content = {
    tenantId,
    login,
    ...(collectedData && { device: collectedData.device }),
    ...(analysis && { basis: { analysis: { requestId: analysis.requestId } } }),
  }
  const issued = await issue(content, needs)
  if (!analysis) return issued
  const { userId, identities, userVerified = true } = body
  const phoneNumber = provenNumber(identities)
  if (userVerified) {
    await confirmDevice({ tenantId, userId, analysis, isTrusted: true, phoneNumber }, needs)
  } else {
    await countNamed({ tenantId, userId, digits: phoneNumber, analysis }, needs)
  }
  return issued
}

async function analysisOfCall(requestId: string | undefined, tenantId: string, needs: TokensNeeds) {
  if (requestId === undefined) return undefined
  const analysis = await analysisOf({ requestId }, { tenantId }, needs)
  if (!analysis || needs.clock.now() - analysis.evidence.now > sameVisitMs) throw new Refusal('deviceAnalysisUnknown')
  return analysis
}

/** Rules that the schema cannot express. */
function checkIdentity({ identityType, identityValue, verified, verifiedAt }: IdentityClaim): void {
  if (identityType === 'MOBILE' && !/^[1-9]\d{4,14}$/.test(identityValue)) throw new Refusal('mobileIdentityInvalid')
  if (verified !== (verifiedAt !== undefined)) throw new Refusal('verifiedAtWrong')
}
