// Which events does a sign-in have? Started, delivered, completed, failed, refused; those of one recipient stay in order.

import type { EventData } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import type { NewEvent } from '../../core/event-recorder.ts'
import { codeOf } from '../../rules/reasons/reason.ts'
import type { ChannelFailed } from './channel.ts'
import type { SignInNeeds } from './room.ts'
import type { SignInContext } from './sign-in-context.ts'
import type { Recipient, SignIn } from './transaction.ts'

/** Where a sign-in is, as an event says it. */
export interface SignInPlace {
  /** Absent when it was refused before it began. */
  readonly idHash?: Uint8Array
  readonly appId: string
  readonly channel: string
  readonly method: string
  readonly recipient?: Recipient | undefined
  readonly ipAddress?: string | undefined
  /** Of the call. */
  readonly requestId?: string | undefined
}

/** What a page was shown is not where the message went: events say the latter. */
export const placeOf = (
  { record, content }: SignIn,
  { ipAddress, requestId }: Partial<Pick<SignInContext, 'ipAddress' | 'requestId'>> = {},
): SignInPlace => ({
  idHash: record.idHash,
  appId: record.appId,
  channel: record.channel,
  method: record.method,
  recipient: content.recipient,
  ipAddress,
  requestId,
})

/** Not the transaction id, with which anyone could query the status. */
export const signInIdOf = (idHash: Uint8Array): string => Buffer.from(idHash).toString('hex')

const orderOf = ({ recipient, idHash, appId }: SignInPlace): string =>
  recipient
    ? `identity ${recipient.type} ${recipient.value}`
    : `sign-in ${idHash === undefined ? appId : signInIdOf(idHash)}`

const aboutOf = ({ recipient, ipAddress, requestId }: SignInPlace): NewEvent['subjects'] & object => ({
  phoneNumber: recipient?.type === 'MOBILE' ? recipient.value : undefined,
  email: recipient?.type === 'EMAIL' ? recipient.value : undefined,
  ipAddress,
  requestId,
})

function dataOf({ idHash, appId, channel, method, recipient, ipAddress }: SignInPlace) {
  return {
    signInId: idHash && signInIdOf(idHash),
    appId,
    channel,
    method,
    identity: recipient && { type: recipient.type, value: recipient.value },
    ipAddress,
  } as EventData<'sign_in.started'>
}

export const started = (place: SignInPlace): NewEvent => ({
  type: 'sign_in.started',
  data: dataOf(place),
  orderedBy: orderOf(place),
  subjects: aboutOf(place),
  outcome: 'started',
})

export const completed = (
  place: SignInPlace,
  done: Pick<EventData<'sign_in.completed'>, 'userId' | 'personId' | 'tokenId'> & {
    deviceId?: string | undefined
  } = {},
): NewEvent => {
  const { deviceId, ...user } = done
  return {
    type: 'sign_in.completed',
    data: { ...dataOf(place), ...user },
    orderedBy: orderOf(place),
    subjects: { ...aboutOf(place), userId: user.userId, deviceId },
    outcome: 'completed',
  }
}

export const failed = (
  place: SignInPlace,
  { reason, attemptsLeft }: { reason: string; attemptsLeft?: number | undefined },
): NewEvent => ({
  type: 'sign_in.failed',
  data: { ...dataOf(place), reason, attemptsLeft },
  orderedBy: orderOf(place),
  subjects: aboutOf(place),
  outcome: 'failed',
})

export const refused = (place: SignInPlace, reasons: string[]): NewEvent => ({
  type: 'sign_in.refused',
  data: { ...dataOf(place), reasons },
  orderedBy: orderOf(place),
  subjects: aboutOf(place),
  outcome: 'refused',
})

/** `reason`: absent when the gateway accepted the message. */
export const delivered = (place: SignInPlace, reason?: ChannelFailed['reason']): NewEvent => {
  const { ipAddress: _, ...data } = dataOf(place)
  const result = reason === undefined ? 'accepted' : 'failed'
  return {
    type: 'otp.delivery',
    data: { ...data, result, reason } as EventData<'otp.delivery'>,
    orderedBy: orderOf(place),
    subjects: aboutOf(place),
    outcome: result,
  }
}

/**
 * Runs a start or resend, and records that a limit refused it. Anyone can cause these, so they count for what the
 * SDK calls of an app may store; above that they are not recorded.
 */
export async function recordingRefusals<T>(
  place: SignInPlace,
  context: Pick<SignInContext, 'tenantId' | 'appId' | 'ipAddress'>,
  { events, database, apps: { storageBudget } }: Pick<SignInNeeds, 'events' | 'database' | 'apps'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal && error.failure === 'messagesLimited')) throw error
    const statements = await events.statements(context.tenantId, [refused(place, [codeOf(error.failure)])])
    try {
      storageBudget.take(context.appId, context.ipAddress, statements)
      await database.batch(statements)
    } catch (spent) {
      if (!(spent instanceof Refusal)) throw spent
    }
    throw error
  }
}
