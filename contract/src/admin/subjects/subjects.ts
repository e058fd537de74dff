// What does the console see of a device: installations, visits, what changed, where it was, and who was seen with it?

import Type, { type Static } from 'typebox'
import { LikelyDevice } from '../../device-report/identification.ts'
import { labelNames } from '../../labels.ts'
import { closed, time } from '../../schema-parts.ts'
import { DevicePlatform } from '../../sdk.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

export const SubjectDeviceId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'The deviceId of a report, a decision or an event',
})

export const AdminDeviceRequest = Type.Object({ deviceId: SubjectDeviceId }, { $id: 'AdminDeviceRequest' })
export type AdminDeviceRequest = Static<typeof AdminDeviceRequest>

/** How many visits a page has. */
export const visitLimits = { default: 25, most: 100 } as const

export const AdminDeviceVisitsRequest = Type.Object(
  {
    deviceId: SubjectDeviceId,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: visitLimits.most,
        default: visitLimits.default,
        description: 'How many visits a page has at most',
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[A-Za-z0-9_-]+$',
        description: 'nextCursor of the page before; send the same deviceId',
      }),
    ),
  },
  { $id: 'AdminDeviceVisitsRequest' },
)
export type AdminDeviceVisitsRequest = Static<typeof AdminDeviceVisitsRequest>

const Recognition = Type.Object(
  {
    by: Type.Enum(['key', 'token', 'similarity', 'none'], {
      description:
        'key: it proved the key of its installation; token: it sent its token; similarity: it resembles the device; none: it was new',
    }),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: 'The probability that the deviceId is right' }),
    likely: Type.Optional(LikelyDevice),
    token: Type.Optional(
      Type.Enum(['copied', 'expired', 'forged', 'foreign'], { description: 'Why a token was not followed' }),
    ),
    factsMissing: Type.Optional(Type.Integer({ description: 'How many facts the device did not report' })),
  },
  { $id: 'ShownRecognition', ...closed, description: 'How a device was recognised, and how sure that is' },
)

const description = {
  platform: DevicePlatform,
  browser: text('With its version'),
  os: text('Operating system, with its version'),
  model: text('Model of a phone'),
  userAgent: text('As the browser reports it'),
}
const ShownDescription = Type.Object(description, {
  $id: 'ShownDescription',
  ...closed,
  description: 'What a device is; unknown fields are omitted',
})

const place = {
  country: text('ISO 3166-1 alpha-2'),
  city: text('English name'),
  latitude: Type.Number({ description: 'Degrees north' }),
  longitude: Type.Number({ description: 'Degrees east' }),
  radiusKm: Type.Optional(Type.Number({ description: 'The person was probably within it' })),
}

export const ShownPlace = Type.Object(
  {
    ...place,
    visits: Type.Integer({ description: 'How many of the visits that were read were here' }),
    lastSeenAt: time('The last of them'),
  },
  { $id: 'ShownPlace', ...closed, description: 'Where visits came from, by their IP address: a rough place' },
)

export const ShownChange = Type.Object(
  {
    kind: Type.Enum(['signal', 'device', 'network', 'place', 'person', 'installation']),
    what: Type.String({ description: 'Name of the signal or field' }),
    before: text('Absent: it was not known, or the signal did not fire'),
    after: text('Absent: it is not known, or the signal does not fire'),
  },
  { $id: 'ShownChange', ...closed, description: 'What differs from the visit before' },
)
export type ShownChange = Static<typeof ShownChange>

const rules = Type.Array(Type.String(), { description: 'Names of the rules that fired' })
const action = Type.String({ description: 'What the rules chose, such as ALLOW or BLOCK' })
const signals = Type.Array(Type.String(), { description: 'Names of the signals that fired' })
const dfrId = Type.String({ description: 'The device report' })

export const ShownVisit = Type.Object(
  {
    at: time('When'),
    dfrId,
    signals,
    country: text('Of the IP address; ISO 3166-1 alpha-2'),
    isStored: Type.Boolean({
      description: 'False: the report has expired; only time, country, signals and label remain',
    }),
    label: Type.Optional(Type.Enum([...labelNames], { description: 'How the session turned out' })),
    requestId: text('requestId of the engine call'),
    appId: text('The app'),
    installationId: text('The browser profile or app'),
    recognition: Type.Optional(Recognition),
    description: Type.Optional(ShownDescription),
    ipAddress: text('IP address'),
    network: text('Who runs the network'),
    place: Type.Optional(Type.Object(place, closed)),
    userId: text('Your id of the user, as the page or app sent it: a hint'),
    phoneNumber: text('Digits with country code, as the page or app sent it: a hint'),
    sessionRiskScore: Type.Optional(Type.Number({ description: '0 to 100' })),
    deviceRiskScore: Type.Optional(Type.Number({ description: 'With the history of the device; 0 to 100' })),
    action: Type.Optional(action),
    rules: Type.Optional(rules),
    changes: Type.Optional(
      Type.Array(ShownChange, {
        description: 'Since the visit before. Absent: there is none, or the report of one of the two has expired',
      }),
    ),
  },
  { $id: 'ShownVisit', ...closed, description: 'A visit: an analysis with a report' },
)
export type ShownVisit = Static<typeof ShownVisit>

export const ShownVisits = Type.Object(
  {
    visits: Type.Array(ShownVisit, { description: 'Newest first' }),
    nextCursor: Type.Optional(Type.String({ description: 'Where the next page begins; absent on the last page' })),
  },
  { $id: 'ShownVisits', ...closed, description: 'A page of the visits of a device' },
)
export type ShownVisits = Static<typeof ShownVisits>

const ShownInstallation = Type.Object(
  {
    installationId: Type.String(),
    hasKey: Type.Boolean({ description: 'It has a key that it proves at each visit; else a token only' }),
    bySimilarity: Type.Boolean({
      description: 'A visit that resembled the device made it; else it is the first of the device',
    }),
    confidence: Type.Optional(Type.Number({ description: 'How sure that visit was; 0 to 1' })),
    stage: Type.Enum(['unlisted', 'new', 'established'], {
      description:
        'established: two visits a day apart; new: not yet; unlisted: it equals another one, or reported too little',
    }),
    firstSeenAt: time('The first visit'),
    lastSeenAt: time('The last visit'),
  },
  { $id: 'ShownInstallation', ...closed, description: 'A browser profile or app of a device' },
)

const links = {
  saidBy: Type.Enum(['backend', 'page'], {
    description: 'backend: a decision, label or confirmed device; page: the page or app only, which is a hint',
  }),
  firstSeenAt: time('The first time, of what was read'),
  lastSeenAt: time('The last time'),
}
export const ShownAccountLink = Type.Object(
  {
    userId: Type.String({ description: 'Your id of the user' }),
    trusted: Type.Boolean({ description: 'The account trusts the device' }),
    ...links,
  },
  { $id: 'ShownAccountLink', ...closed, description: 'An account that was seen with a device' },
)
export const ShownNumberLink = Type.Object(
  { phoneNumber: Type.String({ description: 'Digits with country code' }), ...links },
  { $id: 'ShownNumberLink', ...closed, description: 'A phone number that was seen with a device or user' },
)

export const ShownSubjectLabel = Type.Object(
  {
    label: Type.Enum([...labelNames]),
    knownAt: time('When this became known'),
    dfrId: text('The device report that has it'),
    decisionId: text('The decision that has it'),
  },
  { $id: 'ShownSubjectLabel', ...closed, description: 'How a session turned out' },
)

export const ShownCount = Type.Object(
  {
    name: Type.String({ description: 'Rules read it as velocity.NAME' }),
    measure: Type.Enum(['count', 'distinct', 'sum']),
    path: text('Whose values it counts or adds'),
    per: Type.String({ description: 'Whose decisions it counts' }),
    within: Type.String({ description: 'Length of the window, such as 24h' }),
    value: Type.Number({ description: 'What it counts now' }),
    when: text('Only decisions for which this condition holds'),
  },
  { $id: 'ShownCount', ...closed, description: 'What a velocity of the live rules counts now' },
)

export const SubjectState = Type.Object(
  {
    level: Type.Enum(['good', 'watch', 'bad', 'unknown'], {
      description:
        'Of a user: bad with a bad label of a session that was not stopped, watch when it was taken over, good with a proven session. Of a device or number, in 30 days: bad with a bad label, watch when a decision was stopped, good when none was. No rule reads it',
    }),
    text: Type.String({ description: 'The same in one sentence' }),
    badLabels: Type.Integer({ description: 'Bad labels that count' }),
    passed: Type.Integer({
      description: 'Decisions of the last 30 days that were not stopped, of the newest 100 events',
    }),
    refused: Type.Integer({
      description:
        'Decisions of the last 30 days with REVIEW, CHALLENGE or BLOCK. Of a user, attempts that do not count against it',
    }),
  },
  { $id: 'SubjectState', ...closed, description: 'In which state a user, device or number is' },
)
export type SubjectState = Static<typeof SubjectState>

export const ShownDevice = Type.Object(
  {
    deviceId: Type.String(),
    state: SubjectState,
    firstSeenAt: time('The first visit that is known'),
    lastSeenAt: time('The last visit'),
    description: Type.Optional(ShownDescription),
    latest: Type.Optional(
      Type.Object(
        {
          dfrId,
          at: time('When'),
          action,
          rules,
          signals,
          sessionRiskScore: Type.Number(),
          deviceRiskScore: Type.Number(),
          recognition: Type.Optional(Recognition),
        },
        { ...closed, description: 'The newest stored report; absent when all have expired' },
      ),
    ),
    installations: Type.Array(ShownInstallation, {
      description: 'Those of browsers, the oldest first, at most 32; a phone has none',
    }),
    visitsRead: Type.Integer({
      description: 'Places, accounts and numbers are from this many of the newest visits, and from the newest events',
    }),
    places: Type.Array(ShownPlace, { description: 'Last seen first' }),
    accounts: Type.Array(ShownAccountLink, { description: 'Last seen first' }),
    unknownAccounts: Type.Integer({
      description: 'Accounts of the last 28 days whose ids are not known here: only keyed hashes of them are stored',
    }),
    numbers: Type.Array(ShownNumberLink, { description: 'Last seen first' }),
    unknownNumbers: Type.Integer({ description: 'The same of phone numbers' }),
    labels: Type.Array(ShownSubjectLabel, { description: 'Newest first, at most 50' }),
    velocities: Type.Array(ShownCount, { description: 'Those of the live rules that count per device' }),
  },
  { $id: 'ShownDevice', ...closed, description: 'What is known of a device; unknown fields are omitted' },
)
export type ShownDevice = Static<typeof ShownDevice>

export const ForgottenDevice = Type.Object(
  {
    installations: Type.Integer(),
    visits: Type.Integer({ description: 'With their reports' }),
    labels: Type.Integer(),
    accounts: Type.Integer({ description: 'Accounts that knew the device' }),
  },
  { $id: 'ForgottenDevice', ...closed, description: 'How much was deleted' },
)
export type ForgottenDevice = Static<typeof ForgottenDevice>
