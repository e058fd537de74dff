// Which settings does sign-in have? Lifetimes, attempts and message limits; part of server/src/core/config/settings.ts.

import Type from 'typebox'

/** A whole number and its environment variable. */
const number = (options: { env: string; description: string; minimum: number; maximum: number; default: number }) =>
  Type.Integer(options)

export const signInSettings = {
  otpDigits: number({
    env: 'OTP_DIGITS',
    description: 'Digits of an OTP. A start request can ask for more, never for fewer, because clients are not trusted',
    minimum: 4,
    maximum: 10,
    default: 6,
  }),
  otpLifetimeSeconds: number({
    env: 'OTP_LIFETIME_SECONDS',
    description: 'How long an OTP is accepted, in seconds',
    minimum: 30,
    maximum: 3600,
    default: 300,
  }),
  otpAttempts: number({
    env: 'OTP_ATTEMPTS',
    description: 'Attempts to enter the OTP or code of a sign-in, including resends',
    minimum: 1,
    maximum: 10,
    default: 5,
  }),
  magicLinkLifetimeSeconds: number({
    env: 'MAGIC_LINK_LIFETIME_SECONDS',
    description: 'How long a magic link is accepted, in seconds',
    minimum: 60,
    maximum: 86400,
    default: 900,
  }),
  resendAfterSeconds: number({
    env: 'RESEND_AFTER_SECONDS',
    description:
      'Seconds before a message can be resent. A start request that is repeated earlier returns the same sign-in',
    minimum: 5,
    maximum: 3600,
    default: 30,
  }),
  messagesPerSignIn: number({
    env: 'MESSAGES_PER_SIGN_IN',
    description: 'Messages of one sign-in, including the first',
    minimum: 1,
    maximum: 20,
    default: 4,
  }),
  messagesPerRecipientHour: number({
    env: 'MESSAGES_PER_RECIPIENT_HOUR',
    description:
      'Messages per hour to one phone number or email address: this many for strangers together, for devices that signed in with it before, and for your backends',
    minimum: 1,
    maximum: 1000,
    default: 5,
  }),
  messagesPerRecipientDay: number({
    env: 'MESSAGES_PER_RECIPIENT_DAY',
    description: 'The same, per day',
    minimum: 1,
    maximum: 10000,
    default: 20,
  }),
  messagesPerAddressHour: number({
    env: 'MESSAGES_PER_ADDRESS_HOUR',
    description:
      'Messages per hour that one IP address (IPv6: one /64 network) can cause. Many people can share one. Larger networks can cause a multiple: a /48 of IPv6 3, a /24 of IPv4 16, a network operator 100',
    minimum: 1,
    maximum: 1000000,
    default: 60,
  }),
  messagesPerAppHour: number({
    env: 'MESSAGES_PER_APP_HOUR',
    description: 'Messages per hour that one app can cause',
    minimum: 1,
    maximum: 100000000,
    default: 10000,
  }),
  newNumbersPerRangeHour: number({
    env: 'NEW_NUMBERS_PER_RANGE_HOUR',
    description:
      'Against SMS pumping: messages per hour to new numbers that differ only in their last four digits. A number is new until somebody signs in with it',
    minimum: 1,
    maximum: 10000,
    default: 20,
  }),
  newNumbersPerCountryHour: number({
    env: 'NEW_NUMBERS_PER_COUNTRY_HOUR',
    description: 'Against SMS pumping: messages per hour of one app to new numbers of one country calling code',
    minimum: 1,
    maximum: 100000000,
    default: 1000,
  }),
  deliveryTimeoutMs: number({
    env: 'DELIVERY_TIMEOUT_MS',
    description: 'If the gateway does not accept a message within this time, the call fails with 7131',
    minimum: 500,
    maximum: 30000,
    default: 8000,
  }),
}
