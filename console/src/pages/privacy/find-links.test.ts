import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call, CallName } from '../../api/call.ts'
import { phoneNumber, shownNumber, shownUser, shownUserDevices } from '../../testing/shown-user.ts'
import { findLinks } from './find-links.ts'

const { signal } = new AbortController()
const everything = () => true

const answering = (answers: { readonly [Name in CallName]?: unknown }): Call =>
  ((name: CallName) =>
    answers[name] === undefined
      ? Promise.reject(new Error(`unexpected ${name}`))
      : Promise.resolve(answers[name])) as Call

const ofUser = {
  readUser: { ...shownUser, identities: [{ type: 'EMAIL', value: 'asha@example.com' }, ...shownUser.identities] },
  listUserDevices: shownUserDevices,
}

test('a phone number leads to its users, and to the addresses and devices of each', async () => {
  const accounts = [{ ...shownNumber.accounts[0]!, userId: 'u-1001' }]
  const call = answering({ ...ofUser, readNumber: { ...shownNumber, accounts, unknownAccounts: 2 } })
  const { subjects, unknown } = await findLinks({ kind: 'phoneNumber', value: phoneNumber }, call, everything, signal)
  assert.deepEqual(
    subjects.map(({ kind, value, how }) => [kind, value, how]),
    [
      ['userId', 'u-1001', 'seen with the number'],
      ['email', 'asha@example.com', 'of user u-1001'],
      ['deviceId', shownUserDevices.devices[0]!.deviceId, 'Chrome on Windows of user u-1001'],
      ['deviceId', shownUserDevices.devices[1]!.deviceId, 'Pixel 8 of user u-1001'],
    ],
  )
  assert.equal(unknown, 2)
})

test('values that the role sees masked are marked, and a masked form of the subject itself is left out', async () => {
  const identities = [
    { type: 'MOBILE', value: '********1726' },
    { type: 'EMAIL', value: 'a***@example.com' },
  ]
  const call = answering({
    ...ofUser,
    listUserDevices: { devices: [] },
    readUser: { ...shownUser, identities, numbers: [] },
    readNumber: { ...shownNumber, accounts: [{ ...shownNumber.accounts[0]!, userId: 'u-1001' }] },
  })
  const may = (permission: string) => permission !== 'personalData.read'
  const { subjects } = await findLinks({ kind: 'phoneNumber', value: phoneNumber }, call, may, signal)
  assert.deepEqual(
    subjects.map(({ value, isMasked }) => [value, isMasked]),
    [
      ['u-1001', false],
      ['a***@example.com', true],
    ],
  )
})

test('a user whose id is the number goes with the number, so it is not offered', async () => {
  const accounts = [{ ...shownNumber.accounts[0]!, userId: `+${phoneNumber}` }]
  const call = answering({ readNumber: { ...shownNumber, accounts } })
  const may = (permission: string) => permission !== 'users.read'
  const { subjects } = await findLinks({ kind: 'phoneNumber', value: phoneNumber }, call, may, signal)
  assert.deepEqual(subjects, [])
})

test('an email address leads to the users of its events, each once', async () => {
  const event = { id: 'e', type: 'decision.created', timestamp: '2026-11-20T21:09:00.000Z', data: { userId: 'u-1001' } }
  const call = answering({ ...ofUser, searchEvents: { events: [event, event, { ...event, data: {} }] } })
  const { subjects } = await findLinks({ kind: 'email', value: 'Asha@example.com' }, call, everything, signal)
  assert.deepEqual(
    subjects.map(({ kind }) => kind),
    ['userId', 'phoneNumber', 'deviceId', 'deviceId'],
  )
})
