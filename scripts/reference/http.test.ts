import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsPage } from './http.ts'

const lines = errorsPage().split('\n')
const lineOf = (start: string) => lines.find((line) => line.startsWith(start)) ?? ''

test('the page of errors shows the code that each error format sends', () => {
  assert.match(
    lineOf('| `invalidPhoneNumber`'),
    /\| telecom `P7102`, auth `7102`, legacy, camara `IDENTIFIER_NOT_FOUND` \|$/,
  )
  assert.match(
    lineOf('| `credentialsInvalid`'),
    /\| telecom `70002`, auth `70002`, device, legacy, oauth `invalid_client`, problem \|$/,
  )
  assert.match(lineOf('| `simSwapFailed`'), /\| telecom `P7314` \|$/)
  assert.match(lineOf('| `tokenInvalid`'), /legacy `7114` \|$/)
})

test('the page of errors lists the errors of each endpoint by status', () => {
  assert.match(lineOf('| `/sdk/v1/auth/start` |'), /400: .*`invalidPhoneNumber`.*; 429: .*`messagesLimited`/)
  assert.match(lineOf('| `/sdk/v1/auth/verify` |'), /400: .*`otpWrong`.*`attemptsUsedUp`/)
  assert.match(lineOf('| `/auth/userInfo` |'), /400: .*`tokenExpired`/)
  const ofClients = lines.slice(lines.indexOf('### `telecom`: POST by a client'))
  assert.match(
    ofClients[2]!,
    /401: `credentialsMissing`, `credentialsInvalid`; 403: `clientRestricted`; 413: `bodyTooLarge`/,
  )
})
