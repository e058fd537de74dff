// Do the two calls about a phone behave as CAMARA's feature files of Number Verification 2.1 say? Numbered as there.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import * as oidc from 'openid-client'
import { sqliteDatabases } from '../../testing/databases.ts'
import type { TestService } from '../../testing/test-service.ts'
import { call, discovered, ofShare, ofVerify, phoneService, tokenOf } from '../testing/phone-client.ts'

const [own, other] = ['+917020141726', '+917020141799']
/** Its operator identifies it by a password. */
const byPassword = '917020140174'
const hashed = (phoneNumber: string) => ({ hashedPhoneNumber: hash('sha256', phoneNumber, 'hex') })
const notByNetwork = 'NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK'

type Token = 'valid' | 'none' | 'expired' | 'changed' | 'of the other call' | 'of a password' | 'of the client'
type Scenario = [id: string, body: object | undefined, expected: object | string, token?: Token]

const denied: readonly [id: string, token: Token, expected: string][] = [
  ['401.1', 'none', '401 UNAUTHENTICATED'],
  ['401.2', 'expired', '401 UNAUTHENTICATED'],
  ['401.3', 'changed', '401 UNAUTHENTICATED'],
  ['403.1', 'of the other call', '403 PERMISSION_DENIED'],
  ['403.2', 'of a password', `403 ${notByNetwork}`],
  ['403.2', 'of the client', `403 ${notByNetwork}`],
]
const wrong = '400 INVALID_ARGUMENT'
const scenarios: readonly Scenario[] = [
  ['verify_01', { phoneNumber: own }, { devicePhoneNumberVerified: true }],
  ['verify.02', { phoneNumber: own }, { devicePhoneNumberVerified: true }],
  ['verify.03', { phoneNumber: other }, { devicePhoneNumberVerified: false }],
  ['verify.04', hashed(own), { devicePhoneNumberVerified: true }],
  ['verify.05', hashed(other), { devicePhoneNumberVerified: false }],
  ['verify_400.2', {}, wrong],
  ['verify_400.3', { additional_property: 'foo_value' }, wrong],
  ['verify_400.4', { phoneNumber: own, ...hashed(own) }, wrong],
  ...['917020141726', '+0', '+91702014172612345', 917020141726, null].map(
    (phoneNumber): Scenario => ['verify_C02.01', { phoneNumber }, wrong],
  ),
  ...['x', hash('sha256', own, 'base64url'), `${hashed(own).hashedPhoneNumber}0`].map(
    (hashedPhoneNumber): Scenario => ['verify_C02.01', { hashedPhoneNumber }, wrong],
  ),
  ...denied.map(([id, token, expected]): Scenario => [`verify_${id}`, { phoneNumber: own }, expected, token]),
  ['share_01', undefined, { devicePhoneNumber: own }],
  ['share_02', undefined, { devicePhoneNumber: own }],
  ...denied.map(([id, token, expected]): Scenario => [`share_${id}`, undefined, expected, token]),
]

async function tokenFor([, body, , token = 'valid']: Scenario, service: TestService): Promise<string> {
  const [scope, otherScope] = body ? [ofVerify, ofShare] : [ofShare, ofVerify]
  switch (token) {
    case 'of the client': {
      const ofClient = { scope: scope.replace('openid ', '') }
      return (await oidc.clientCredentialsGrant(await discovered(service), ofClient)).access_token
    }
    case 'of a password':
      return tokenOf(service, byPassword, scope)
    case 'of the other call':
      return tokenOf(service, own.slice(1), otherScope)
    case 'changed':
      return (await tokenOf(service, own.slice(1), scope)).replace(/.{8}$/, 'AAAAAAAA')
    default:
      return tokenOf(service, own.slice(1), scope)
  }
}

test('the calls about a phone fulfil every scenario of their feature files', async (t) => {
  const service = await phoneService(t, await sqliteDatabases.open(t), { settings: { appRateBurst: 1000 } })
  const failed: string[] = []
  // Last, as the libraries need the real time.
  const inOrder = [...scenarios].sort((a, b) => Number(a[3] === 'expired') - Number(b[3] === 'expired'))
  const tokens = new Map<Scenario, string>()
  for (const scenario of inOrder) tokens.set(scenario, await tokenFor(scenario, service))
  for (const [index, scenario] of inOrder.entries()) {
    const [id, body, expected, token] = scenario
    if (token === 'expired' && inOrder[index - 1]?.[3] !== 'expired') service.clock.advance({ seconds: 600 })
    const correlator = `scenario-${index}`
    const headers = { 'x-correlator': correlator, ...(token === 'none' && { authorization: '' }) }
    const answer = await call(service.url, tokens.get(scenario)!, body, headers)
    const said = answer.status === 200 ? answer.body : `${answer.status} ${answer.body.code}`
    const fits =
      JSON.stringify(said) === JSON.stringify(expected) &&
      answer.headers.get('x-correlator') === correlator &&
      answer.headers.get('content-type')?.startsWith('application/json') === true &&
      (answer.status === 200 || (answer.body.status === answer.status && answer.body.message.length > 0))
    if (!fits) failed.push(`${id} ${JSON.stringify(body)} ${token}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  assert.deepEqual(failed, [])
})
