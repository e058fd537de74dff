// What do we make of a device? The detectors' verdicts (specification 2.4, secureInfo; 2.5, secure_info)

import Type, { type Static, type TProperties } from 'typebox'

const closed = { additionalProperties: false } as const

const flag = Type.Optional(Type.Object({ result: Type.Boolean() }, closed))

const detectors = {
  incognito: Type.Optional(Type.Boolean({ description: 'A private window' })),
  confidence: Type.Optional(
    Type.Object(
      {
        score: Type.Number({ description: '0 to 1: probability that the device is recognised rightly' }),
        revision: Type.String({ description: 'Revision of the scoring' }),
      },
      closed,
    ),
  ),
  bot: Type.Optional(
    Type.Object(
      {
        result: Type.Enum(['notDetected', 'good', 'bad'], {
          description: 'good: a crawler that declares itself and was verified; bad: any other automation',
        }),
      },
      closed,
    ),
  ),
  rootApps: flag,
  emulator: flag,
  jailbroken: flag,
  clonedApp: flag,
  frida: flag,
  privacySettings: flag,
  tampering: Type.Optional(
    Type.Object(
      {
        result: Type.Boolean(),
        anomalyScore: Type.Number({ description: '0 to 1; over 0.5: tampered' }),
      },
      closed,
    ),
  ),
  factoryReset: Type.Optional(
    Type.Object(
      {
        time: Type.String({ description: 'ISO 8601 UTC; 1970-01-01T00:00:00Z when it cannot be told' }),
        timestamp: Type.Integer({ description: 'Epoch seconds' }),
      },
      closed,
    ),
  ),
  suspectScore: Type.Optional(
    Type.Object({ result: Type.Number({ description: 'Sum of the weights of what was found' }) }, closed),
  ),
} as const

const methods = { timezoneMismatch: Type.Optional(Type.Boolean()), publicVPN: Type.Optional(Type.Boolean()) } as const
const originCountry = Type.Optional(Type.String({ description: 'ISO 3166-1 alpha-2, or unknown' }))

const vpn = <Fields extends TProperties, Methods extends TProperties>(fields: Fields, how: Methods) =>
  Type.Optional(Type.Object({ result: Type.Boolean(), ...fields, methods: Type.Object(how, closed) }, closed))

/** A detector that looked and found no answer is omitted; what the platform cannot be is false. */
export const SecureInfo = Type.Object(
  { ...detectors, vpn: vpn({ originCountry }, methods) },
  { $id: 'SecureInfo', ...closed, description: 'Verdicts on the device' },
)
export type SecureInfo = Static<typeof SecureInfo>

/** `secure_info` of the secure-info endpoint: more detectors. */
export const SecureInfoDetail = Type.Object(
  {
    ...detectors,
    virtualMachine: flag,
    locationSpoofing: flag,
    developerTools: flag,
    vpn: vpn(
      {
        originCountry,
        originTimezone: Type.Optional(Type.String({ description: "The device's own zone, an IANA name" })),
      },
      { ...methods, auxiliaryMobile: Type.Optional(Type.Boolean()), osMismatch: Type.Optional(Type.Boolean()) },
    ),
  },
  { $id: 'SecureInfoDetail', ...closed, description: 'Verdicts on the device, every detector' },
)
export type SecureInfoDetail = Static<typeof SecureInfoDetail>
