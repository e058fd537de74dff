import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyEndpoint, failureOfSample, failures } from '@ringfence/contract'
import { errorsPage } from './errors.ts'

const page = errorsPage()
const lines = page.split('\n')
const lineOf = (start: string) => lines.find((line) => line.startsWith(start)) ?? ''

test('the page of errors shows the code that each error format sends', () => {
  assert.match(
    lineOf('| `invalidPhoneNumber`'),
    /\| telecom `P7102`, auth `7102`, legacy, camara `IDENTIFIER_NOT_FOUND` \| 400 \|/,
  )
  assert.match(
    lineOf('| `credentialsInvalid`'),
    /\| telecom `70002`, auth `70002`, device, legacy, oauth `invalid_client`, problem \| 401 \|/,
  )
  assert.match(lineOf('| `simSwapFailed`'), /\| `P7314` \| 200 \| SIM swap check failed \|/)
  assert.match(lineOf('| `tokenInvalid`'), /legacy `7114` \| 400 \|/)
})

test('the page of errors has a row for each failure', () => {
  assert.deepEqual(
    Object.keys(failures).filter((name) => lineOf(`| \`${name}\` |`) === ''),
    [],
  )
})

test('the page of errors says what an endpoint returns beside the others, and what it never returns', () => {
  assert.match(lineOf('| `/sdk/v1/auth/start` |'), /`lineTypeRefused`.*`messagesLimited`.* \| `signInUnknown` \|$/)
  assert.match(lineOf('| `/sdk/v1/auth/verify` |'), /`otpWrong`.*`attemptsUsedUp`/)
  assert.match(lineOf('| `/auth/userInfo` |'), /`tokenExpired` \(400\)/)
  const ofClients = lines.slice(lines.indexOf('### `telecom`, called by a client'))
  assert.match(ofClients[2]!, /`credentialsMissing`, `credentialsInvalid`, `clientRestricted`, .*`bodyTooLarge`/)
})

test('the page of errors names every error of every endpoint', () => {
  const sections = page.split('\n### ')
  const missing = everyEndpoint.flatMap(({ errorFormat, path, refusals }) => {
    const texts = sections.filter((text) => text.startsWith(`\`${errorFormat}\`, called`)).join()
    const common = lineOf('Every endpoint can return')
    return Object.values(refusals)
      .flatMap(({ samples }) => samples.map(failureOfSample))
      .filter((name) => Object.hasOwn(failures, name) && !`${texts}${common}`.includes(`\`${name}\``))
      .map((name) => `${path} ${name}`)
  })
  assert.deepEqual(missing, [])
})
