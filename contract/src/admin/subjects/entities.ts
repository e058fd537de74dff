// Which devices, users and numbers are there? Rows of a table, each made from the event log.

import Type, { type Static, type TProperties } from 'typebox'
import { closed, time } from '../../schema-parts.ts'
import { SubjectState } from './subjects.ts'

export const entityFilters = ['riskiest', 'newToday', 'shared', 'all'] as const
export type EntityFilter = (typeof entityFilters)[number]
export const entityLimits = { default: 50, most: 200 } as const
/** A search by the first characters reads so many rows, those that were seen last. */
export const mostSearchedEntities = 10_000

const text = (description: string) => Type.String({ minLength: 1, maxLength: 10_000, description })
const count = (description: string) => Type.Integer({ minimum: 0, description })

const request = <Exact extends TProperties>(id: string, exact: Exact) =>
  Type.Object(
    {
      filter: Type.Optional(
        Type.Enum([...entityFilters], {
          default: 'riskiest',
          description:
            'riskiest: with a bad label or a stopped decision, most first. newToday: first seen within 24 hours. shared: with several users, or of a user with several devices. all: last seen first',
        }),
      ),
      ...exact,
      beginsWith: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: `Only those that begin so, of the ${mostSearchedEntities} that were seen last. Needs personalData.read`,
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: entityLimits.most,
          default: entityLimits.default,
          description: 'Rows of a page',
        }),
      ),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          pattern: '^[A-Za-z0-9_-]+$',
          description: 'nextCursor of the page before; send the same filter',
        }),
      ),
    },
    { $id: id },
  )

const row = {
  firstSeenAt: time('First event that names it, of those that are stored'),
  lastSeenAt: time('Last event that names it'),
  shared: count('Users of a device or number, devices of a user; at most 1,000'),
  decisions: count('Decisions since firstSeenAt'),
  refused: count('Those that were stopped: REVIEW, CHALLENGE or BLOCK'),
  badLabels: count('Bad labels; of a user only those of decisions that were not stopped'),
  goodLabels: count('Labels legitimate'),
  topReason: Type.Optional(Type.String({ description: 'The code that was a reason most often' })),
  state: SubjectState,
}

const page = <Id extends TProperties>(id: string, value: Id, description: string) =>
  Type.Object(
    {
      rows: Type.Array(Type.Object({ ...value, ...row }, closed)),
      nextCursor: Type.Optional(
        Type.String({ description: 'Send it as cursor for the next page; absent on the last one' }),
      ),
    },
    { $id: id, ...closed, description },
  )

export const ListDevicesRequest = request('ListDevicesRequest', {
  deviceId: Type.Optional(text('Only this device')),
})
export type ListDevicesRequest = Static<typeof ListDevicesRequest>
export const ListUsersRequest = request('ListUsersRequest', { userId: Type.Optional(text('Only this user')) })
export type ListUsersRequest = Static<typeof ListUsersRequest>
export const ListNumbersRequest = request('ListNumbersRequest', {
  phoneNumber: Type.Optional(text('Only this number, with country code, as people write it')),
})
export type ListNumbersRequest = Static<typeof ListNumbersRequest>

export const ListedDevices = page('ListedDevices', { deviceId: Type.String() }, 'Devices of the event log')
export type ListedDevices = Static<typeof ListedDevices>
export const ListedUsers = page('ListedUsers', { userId: Type.String() }, 'Users of the event log')
export type ListedUsers = Static<typeof ListedUsers>
export const ListedNumbers = page('ListedNumbers', { phoneNumber: Type.String() }, 'Phone numbers of the event log')
export type ListedNumbers = Static<typeof ListedNumbers>
