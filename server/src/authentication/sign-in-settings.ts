// Which settings has the sign-in? Lifetimes, tries, and how many messages may go out; part of server/src/config/settings.ts.

import Type from 'typebox'

/** A whole number with its environment variable. */
const number = (options: { env: string; description: string; minimum: number; maximum: number; default: number }) =>
  Type.Integer(options)

export const signInSettings = {
  otpDigits: number({
    env: 'OTP_DIGITS',
    description: 'Digits of an OTP; a start may ask for more, never for fewer, as anybody can send one',
    minimum: 4,
    maximum: 10,
    default: 6,
  }),
  otpLifetimeSeconds: number({
    env: 'OTP_LIFETIME_SECONDS',
    description: 'How long the OTP of a sign-in is accepted',
    minimum: 30,
    maximum: 3600,
    default: 300,
  }),
  otpTries: number({
    env: 'OTP_TRIES',
    description: 'How often an OTP or a code of a sign-in may be tried, resends included',
    minimum: 1,
    maximum: 10,
    default: 5,
  }),
  magicLinkLifetimeSeconds: number({
    env: 'MAGIC_LINK_LIFETIME_SECONDS',
    description: 'How long a magic link is accepted',
    minimum: 60,
    maximum: 86400,
    default: 900,
  }),
  resendAfterSeconds: number({
    env: 'RESEND_AFTER_SECONDS',
    description: 'No message is sent again before; a start that is repeated until then is the same sign-in',
    minimum: 5,
    maximum: 3600,
    default: 30,
  }),
  messagesPerSignIn: number({
    env: 'MESSAGES_PER_SIGN_IN',
    description: 'Messages of one sign-in, the first one included',
    minimum: 1,
    maximum: 20,
    default: 4,
  }),
  messagesPerRecipientHour: number({
    env: 'MESSAGES_PER_RECIPIENT_HOUR',
    description: 'Messages to one number or e-mail address in an hour',
    minimum: 1,
    maximum: 1000,
    default: 5,
  }),
  messagesPerRecipientDay: number({
    env: 'MESSAGES_PER_RECIPIENT_DAY',
    description: 'Messages to one number or e-mail address in a day',
    minimum: 1,
    maximum: 10000,
    default: 20,
  }),
  messagesPerAddressHour: number({
    env: 'MESSAGES_PER_ADDRESS_HOUR',
    description:
      'Messages that one IP address (of IPv6, a network of 64 bits) may cause in an hour; many people share one',
    minimum: 1,
    maximum: 1000000,
    default: 60,
  }),
  messagesPerAppHour: number({
    env: 'MESSAGES_PER_APP_HOUR',
    description: 'Messages that one app may cause in an hour',
    minimum: 1,
    maximum: 100000000,
    default: 10000,
  }),
  newNumbersPerRangeHour: number({
    env: 'NEW_NUMBERS_PER_RANGE_HOUR',
    description:
      'Against SMS pumping: messages in an hour to numbers that differ in their last four digits, never signed in before, and do not sign in now',
    minimum: 1,
    maximum: 10000,
    default: 20,
  }),
  newNumbersPerCountryHour: number({
    env: 'NEW_NUMBERS_PER_COUNTRY_HOUR',
    description: 'The same for all numbers of a country calling code, for each app',
    minimum: 1,
    maximum: 100000000,
    default: 1000,
  }),
  deliveryTimeoutMs: number({
    env: 'DELIVERY_TIMEOUT_MS',
    description: 'A message must be taken over by the next hop within this time, else the sign-in is refused',
    minimum: 500,
    maximum: 30000,
    default: 8000,
  }),
}
