// How much may one app, or one IP address, call and store? Anyone can call who knows an app id. Part of server/src/core/config/settings.ts.

import Type from 'typebox'

const number = (options: { env: string; description: string; maximum: number; default: number }) =>
  Type.Integer({ minimum: 1, ...options })

export const appLimits = {
  appRatePerSecond: number({
    env: 'APP_RATE_PER_SECOND',
    description:
      'Requests per second of one IP address for one app, or for the sign-in pages, on average; more are refused with 429.',
    maximum: 1_000_000,
    default: 10,
  }),
  appRateBurst: number({
    env: 'APP_RATE_BURST',
    description: 'Requests that one IP address may send at once before that; at least `appRatePerSecond`.',
    maximum: 1_000_000,
    default: 50,
  }),
  publicRatePerSecond: number({
    env: 'PUBLIC_RATE_PER_SECOND',
    description:
      'Requests without credentials (SDK files, documentation, keys, preflights, unknown app ids) per second of one IP address, on average; more are refused with 429. Five times as many may come at once.',
    maximum: 1_000_000,
    default: 100,
  }),
  wrongCredentialsPerMinute: number({
    env: 'WRONG_CREDENTIALS_PER_MINUTE',
    description:
      'Wrong client credentials per minute of one IP address (IPv6: one /64 network, or its /56). Larger networks have a multiple: a /48 of IPv6 1.5, a /24 of IPv4 4, a network operator 20. Beyond them, wrong credentials are refused with 429 without a look-up, and right ones go on.',
    maximum: 1_000_000,
    default: 300,
  }),
  storageMbPerAppDay: number({
    env: 'STORAGE_MB_PER_APP_DAY',
    description:
      'Megabytes that the SDK calls of one app may store on one day (UTC), over all servers; more are refused with 429.',
    maximum: 1_000_000_000,
    default: 10_000,
  }),
  storageMbPerAddressDay: number({
    env: 'STORAGE_MB_PER_ADDRESS_DAY',
    description:
      'Megabytes of that which one IP address (IPv6: one /64 network) may use up at one server, so that it cannot take the share of everybody else. Larger networks have a multiple: a /56 of IPv6 2, a /48 3, a /24 of IPv4 16, a network operator 100. An analysis takes about 2 KB.',
    maximum: 1_000_000_000,
    default: 100,
  }),
}
