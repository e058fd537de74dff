// How was a device recognised, and does the user know it? The member `identification` of a report, on request.

import Type, { type Static } from 'typebox'
import { closed } from '../schema-parts.ts'

const probability = (description: string) => Type.Number({ description: `${description}, 0 to 1` })

export const LikelyDevice = Type.Object(
  {
    deviceId: Type.String({ description: 'deviceId of the known device' }),
    confidence: probability('Probability that it is the same device'),
  },
  {
    ...closed,
    description:
      'The known device that this one resembled when it was new, or that another id of the phone names. Below 0.9, similarity does not give an id away: the device has its own deviceId',
  },
)

/** `include: ["identification"]` */
export const ReportIdentification = Type.Object(
  {
    by: Type.Enum(['key', 'token', 'similarity', 'none'], {
      description:
        'key: the browser or app signed with its key. token: it has no key, and sent its token or stored id. similarity: it resembles a known device. none: nothing identified it, so it is new',
    }),
    confidence: probability('Probability that deviceId is right'),
    likely: Type.Optional(LikelyDevice),
    crowded: Type.Optional(
      Type.Literal(true, {
        description:
          'The device is less than a day old, and its network made more new devices than NEW_DEVICES_PER_NETWORK allows when this one was new. Absent otherwise',
      }),
    ),
    token: Type.Optional(
      Type.Enum(['copied', 'expired', 'forged', 'foreign'], {
        description:
          'Why the device token was not followed. copied: it came without its key. expired: it is older than 400 days. forged: it was not issued by this service. foreign: it is of another device',
      }),
    ),
    factsMissing: Type.Optional(
      Type.Array(
        Type.Object({ fact: Type.String(), because: Type.Enum(['refused', 'unavailable', 'timedOut']) }, closed),
        { description: 'Facts that the device did not report, and why' },
      ),
    ),
    knownForAccount: Type.Optional(
      Type.Enum(['yes', 'likely', 'no'], {
        description:
          'Only with userId. yes: a key or token of an installation that was confirmed for the user before this session. likely: the device resembles a confirmed one. no: neither, or it was revoked',
      }),
    ),
    account: Type.Optional(
      Type.Object(
        {
          probability: probability('Probability that this is a device that was confirmed for the user before'),
          device: Type.Optional(
            Type.Object(
              {
                deviceId: Type.String({ description: 'Its deviceId; may differ from that of the report' }),
                name: Type.Optional(Type.String({ description: 'The name that you gave it' })),
                firstSeenAt: Type.String({ description: 'ISO 8601 UTC' }),
                lastSeenAt: Type.String({ description: 'ISO 8601 UTC' }),
              },
              { ...closed, description: 'Which device; omitted for no' },
            ),
          ),
        },
        { ...closed, description: 'Only with userId' },
      ),
    ),
  },
  { $id: 'ReportIdentification', ...closed, description: 'How the device was recognised' },
)
export type ReportIdentification = Static<typeof ReportIdentification>
