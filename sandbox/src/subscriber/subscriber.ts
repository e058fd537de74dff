// What does the operator know of the subscriber of a number, and what can the admin API set? One object for every check.

import { type KycField, kycFields } from '@ringfence/contract'
import Type, { type Static } from 'typebox'

const strict = { additionalProperties: false }
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const date = Type.String({ format: 'date' })

const connectivities = ['DATA', 'SMS'] as const
export const contractTypes = ['PAYG', 'PAYM', 'Business'] as const

/** With the names of KYC Match. null: the operator does not know it. */
export type Particulars = { readonly [Field in KycField]: string | null }

/** Where the network locates the phone: somewhere within `accuracy` metres of the point. */
export interface Place {
  readonly latitude: number
  readonly longitude: number
  readonly accuracy: number
}

export interface Subscriber extends Particulars {
  /** RFC 3339: when the number moved to this phone. null: the operator may not say. */
  readonly latestDeviceChange: string | null
  /** null: the network does not locate the phone. */
  readonly place: Place | null
  /** In which foreign network the phone is. null: in that of its operator. */
  readonly roaming: Static<typeof Roaming> | null
  /** Empty: the phone is not reachable. */
  readonly connectivity: readonly (typeof connectivities)[number][]
  readonly subscribedOn: string
  readonly contractType: (typeof contractTypes)[number] | null
  /** Since when it is the number of somebody else than before. null: it never was. */
  readonly recycledOn: string | null
}

const Roaming = Type.Object(
  {
    mobileCountryCode: Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
    country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  },
  strict,
)

const particulars = Object.fromEntries(
  Object.entries(kycFields).map(([name, schema]) => [name, Type.Optional(orNull(schema))]),
) as unknown as Record<KycField, Type.TOptional<Type.TUnion<[Type.TString, Type.TNull]>>>

/** What the admin API takes. */
export const SentSubscriber = Type.Object(
  {
    ...particulars,
    latestDeviceChange: Type.Optional(orNull(Type.String({ format: 'date-time', maxLength: 64 }))),
    /** The same, in hours before the sandbox's clock. */
    deviceChangedHoursAgo: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    place: Type.Optional(
      orNull(
        Type.Object(
          {
            latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
            longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
            accuracy: Type.Optional(Type.Number({ minimum: 1, maximum: 1_000_000 })),
          },
          { ...strict, minProperties: 1 },
        ),
      ),
    ),
    roaming: Type.Optional(orNull(Roaming)),
    connectivity: Type.Optional(Type.Array(Type.Enum([...connectivities]), { uniqueItems: true })),
    subscribedOn: Type.Optional(date),
    contractType: Type.Optional(orNull(Type.Enum([...contractTypes]))),
    recycledOn: Type.Optional(orNull(date)),
  },
  { ...strict, minProperties: 1 },
)
export type SentSubscriber = Static<typeof SentSubscriber>
export type SubscriberChange = Omit<SentSubscriber, 'deviceChangedHoursAgo'>

const ofName = [
  'givenName',
  'middleNames',
  'familyName',
  'familyNameAtBirth',
  'nameKanaHankaku',
  'nameKanaZenkaku',
] as const
const ofAddress = [
  'streetName',
  'streetNumber',
  'houseNumberExtension',
  'postalCode',
  'locality',
  'region',
  'country',
] as const

/**
 * The subscriber with what was set. It stays one person: who sets the complete name or address knows no parts of it unless these are set
 * too, and who sets parts has it made of them.
 */
export function withChange(before: Subscriber, change: SubscriberChange): Subscriber {
  const place = change.place ? { ...before.place!, ...change.place } : change.place
  const after = {
    ...before,
    ...change,
    ...(place !== undefined && { place }),
    ...followed(before, change, 'name', ofName, fullName),
    ...followed(before, change, 'address', ofAddress, fullAddress),
  } as Subscriber
  // Nobody has had a number since before it was theirs.
  const isLater = after.recycledOn !== null && after.recycledOn > after.subscribedOn
  return isLater ? { ...after, subscribedOn: after.recycledOn! } : after
}

function followed(
  before: Subscriber,
  change: SubscriberChange,
  whole: 'name' | 'address',
  parts: readonly KycField[],
  composed: (from: Particulars) => string | null,
): Partial<Particulars> {
  const isSet = (field: KycField) => change[field] !== undefined
  if (isSet(whole)) {
    const unset = change[whole] === null ? [] : parts.filter((part) => !isSet(part))
    return Object.fromEntries(unset.map((part) => [part, null]))
  }
  if (!parts.some(isSet)) return {}
  return { [whole]: composed({ ...before, ...change } as Particulars) }
}

const joined = (separator: string, ...texts: readonly (string | null)[]) =>
  texts.filter((text) => text !== null && text !== '').join(separator) || null

/** Family name first where people write it so. */
export const fullName = ({ givenName, middleNames, familyName, nationality }: Particulars): string | null =>
  nationality === 'JP' ? joined(' ', familyName, givenName) : joined(' ', givenName, middleNames, familyName)

export const fullAddress = (from: Particulars): string | null =>
  joined(
    ', ',
    joined(' ', from.streetName, from.streetNumber, from.houseNumberExtension),
    joined(' ', from.postalCode, from.locality),
    from.region,
    from.country,
  )
