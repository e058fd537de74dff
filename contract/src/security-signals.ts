// What did the signals find on a device? (specification 2.4, secureInfo; 2.5, secure_info)

import Type, { type Static, type TProperties } from 'typebox'
import { closed } from './schema-parts.ts'

const flag = Type.Object({ result: Type.Boolean() }, closed)

const detectors = {
  incognito: Type.Boolean({ description: 'A private window' }),
  confidence: Type.Object(
    {
      score: Type.Number({ description: 'Probability that the deviceId is right, 0 to 1; 0 without a deviceId' }),
      revision: Type.String({ description: 'Revision of the scoring' }),
    },
    closed,
  ),
  bot: Type.Object(
    {
      result: Type.Enum(['notDetected', 'good', 'bad'], {
        description: 'good: a verified crawler or agent; bad: any other automation',
      }),
    },
    closed,
  ),
  rootApps: flag,
  emulator: flag,
  jailbroken: flag,
  clonedApp: flag,
  frida: flag,
  privacySettings: flag,
  tampering: Type.Object(
    {
      result: Type.Boolean(),
      anomalyScore: Type.Number({ description: '0 to 1; tampered above 0.5' }),
    },
    closed,
  ),
  factoryReset: Type.Object(
    {
      time: Type.String({ description: 'ISO 8601 UTC; 1970-01-01T00:00:00Z when unknown' }),
      timestamp: Type.Integer({ description: 'Epoch seconds; 0 when unknown' }),
    },
    closed,
  ),
  suspectScore: Type.Object(
    { result: Type.Number({ description: 'Sum of the weights of the signals that fired' }) },
    closed,
  ),
} as const

const methods = { timezoneMismatch: Type.Boolean(), publicVPN: Type.Boolean() } as const
const originCountry = Type.String({ description: 'ISO 3166-1 alpha-2, or unknown' })

const vpn = <Fields extends TProperties, Methods extends TProperties>(fields: Fields, how: Methods) =>
  Type.Object({ result: Type.Boolean(), ...fields, methods: Type.Object(how, closed) }, closed)

/** Every detector is present. One that the facts do not answer is negative; `signals` of the device report says `unknown`. */
export const SecureInfo = Type.Object(
  { ...detectors, vpn: vpn({ originCountry }, methods) },
  { $id: 'SecureInfo', ...closed, description: 'Verdicts on the device; false when unknown' },
)
export type SecureInfo = Static<typeof SecureInfo>

/** `secure_info` of the secure-info endpoint: more signals. */
export const SecureInfoDetail = Type.Object(
  {
    ...detectors,
    virtualMachine: flag,
    locationSpoofing: flag,
    developerTools: flag,
    vpn: vpn(
      {
        originCountry,
        originTimezone: Type.String({ description: "The device's IANA time zone, or unknown" }),
      },
      { ...methods, auxiliaryMobile: Type.Boolean(), osMismatch: Type.Boolean() },
    ),
  },
  { $id: 'SecureInfoDetail', ...closed, description: 'All verdicts on the device; false when unknown' },
)
export type SecureInfoDetail = Static<typeof SecureInfoDetail>
