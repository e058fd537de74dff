// What does a request set of a subscriber, and what is wrong with it beyond its schema?

import { dateMistake, type KycField, kycFields } from '@ringfence/contract'
import Type from 'typebox'
import { Refusal } from '../camara/errors.ts'
import { hourMs } from '../clock.ts'
import { comparable } from '../subscriber/compare-text.ts'
import type { SentSubscriber, SubscriberChange } from '../subscriber/subscriber.ts'
import { readDateTime } from './date-time.ts'

const past = { format: 'date', 'x-past': true }
const days = { ...kycFields, subscribedOn: Type.String(past), recycledOn: Type.String(past) }

/** Throws Refusal INVALID_ARGUMENT with a sentence that names the field. */
export function subscriberChange(sent: SentSubscriber, nowMs: number): SubscriberChange {
  const { deviceChangedHoursAgo, latestDeviceChange, ...same } = sent
  const mistake =
    textMistake(sent) ?? dateMistake(days, withoutNulls(sent), nowMs) ?? placeMistake(sent) ?? orderMistake(sent)
  if (mistake !== undefined) throw new Refusal('invalidArgument', `subscriber.${mistake}.`)
  if (latestDeviceChange !== undefined && deviceChangedHoursAgo !== undefined)
    throw new Refusal('invalidArgument', 'Send latestDeviceChange or deviceChangedHoursAgo, not both.')
  return {
    ...same,
    ...(latestDeviceChange !== undefined && {
      latestDeviceChange: latestDeviceChange && readDateTime('latestDeviceChange', latestDeviceChange),
    }),
    ...(deviceChangedHoursAgo !== undefined && {
      latestDeviceChange: new Date(nowMs - deviceChangedHoursAgo * hourMs).toISOString(),
    }),
  }
}

const withoutNulls = (sent: object) => Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))

/** A text of spaces or signs would be equal to nothing. */
function textMistake(sent: SentSubscriber): string | undefined {
  const wrong = (Object.keys(kycFields) as KycField[]).find((field) => {
    const text = sent[field]
    return typeof text === 'string' && (!text.isWellFormed() || /\p{Cc}/u.test(text) || comparable(text) === '')
  })
  return wrong && `${wrong} must be a text with at least one letter or digit, and without control characters`
}

function placeMistake({ place }: SentSubscriber): string | undefined {
  if (!place || (place.latitude === undefined) === (place.longitude === undefined)) return undefined
  return 'place must have latitude and longitude, or neither'
}

function orderMistake({ subscribedOn, recycledOn }: SentSubscriber): string | undefined {
  if (!subscribedOn || !recycledOn || recycledOn <= subscribedOn) return undefined
  return 'recycledOn must not be later than subscribedOn: a subscriber has the number from then on'
}
