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
  assert.match(lineOf('| `POST /sdk/v1/auth/start` | 400 |'), /`invalidPhoneNumber`/)
  assert.match(lineOf('| `POST /sdk/v1/auth/start` | 429 |'), /`messagesLimited`/)
  assert.match(lineOf('| `POST /sdk/v1/auth/verify` | 400 |'), /`otpWrong`.*`attemptsUsedUp`/)
  assert.match(lineOf('| `POST /auth/userInfo` | 400 |'), /`tokenExpired`/)
})
