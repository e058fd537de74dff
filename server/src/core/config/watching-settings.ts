// How often are watched phone numbers checked, and how much may a tenant watch and verify?

import Type from 'typebox'

const day = 86_400
const often = (env: string, description: string, seconds: number) =>
  Type.Integer({ env, description, minimum: 3600, maximum: 90 * day, default: seconds })

export const watching = {
  watchSwapSeconds: often(
    'WATCH_SWAP_SECONDS',
    'Seconds between two SIM swap or device swap checks of a watched number.',
    6 * 3600,
  ),
  watchPortabilitySeconds: often(
    'WATCH_PORTABILITY_SECONDS',
    'Seconds between two portability checks of a watched number.',
    day,
  ),
  watchRecyclingSeconds: often(
    'WATCH_RECYCLING_SECONDS',
    'Seconds between two number recycling checks of a watched number.',
    7 * day,
  ),
  watchRequestsPerDay: Type.Integer({
    env: 'WATCH_REQUESTS_PER_DAY',
    description:
      'Requests to operators that the watches of a tenant make in a day, in UTC. Above it, numbers are checked less often.',
    minimum: 1,
    maximum: 100_000_000,
    default: 20_000,
  }),
  numberVerificationsPerHour: Type.Integer({
    env: 'NUMBER_VERIFICATIONS_PER_HOUR',
    description:
      'How many Number Verifications the clients of a tenant may begin in an hour (UTC). As many phones may begin at the authorization endpoint of the CAMARA API, a tenth of them in one network (IPv4: one address, IPv6: one /64), two tenths in a /56 and three in a /48 of IPv6.',
    minimum: 0,
    maximum: 10_000_000,
    default: 100_000,
  }),
  watchesPerTenant: Type.Integer({
    env: 'WATCHES_PER_TENANT',
    description: 'How many phone numbers a tenant may watch.',
    minimum: 0,
    maximum: 10_000_000,
    default: 100_000,
  }),
}
