import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { telecomChecks } from '@ringfence/contract'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { assertFailed, type CommandLine, commandLine, type ServiceProcess } from '../testing.ts'

describe('ringfence check', () => {
  let line: CommandLine
  let service: ServiceProcess
  const ends: (() => unknown)[] = []
  after(async () => {
    for (const end of ends) await end()
  })
  before(async () => {
    line = await commandLine({ after: (end) => ends.push(end) })
    service = await line.serve(['--sandbox'])
  })
  const check = (...args: string[]) => line.run(['check', ...args], { env: { RINGFENCE_URL: service.url } })

  test('makes the checks that need nothing but the number when none is named, with the credentials of the sandbox', async () => {
    const [readable, json] = await Promise.all([check('+61 491 570 156'), check('61491570156', '--json')])
    assert.equal(readable.code, 0)
    assert.match(
      readable.stdout,
      /^61491570156, MOBILE, AU.*\noperator SANDBOX_(\w+), home operator SANDBOX_(?!\1)\w+, ported\n/,
    )
    assert.match(readable.stdout, /\nCHECK +ANSWER +AGE +FROM\n/)
    assert.match(readable.stdout, /\nSIM swap +swapped yes, maxAgeHours 240.* fresh +sandbox\n/)
    assert.match(readable.stdout, /\nCall forwarding +active yes.* fresh +sandbox\n/)
    assert.match(readable.stdout, /\nDevice swap +swapped no.* fresh +sandbox\n/)
    assert.match(readable.stdout, /\nAnswers of the sandbox are made up\.\n$/)
    assert.ok(!readable.stdout.includes('\u001b'), 'no colours where there is no terminal')

    assert.equal(json.code, 0)
    const { checks, phoneDetail, meta } = JSON.parse(json.stdout)
    assert.deepEqual(Object.keys(checks), telecomChecks)
    assert.deepEqual([checks.simSwap.swapped, phoneDetail.isPorted, meta.sandbox], [true, true, true])
  })

  test('makes only the named checks, with their parameters', async () => {
    const window = (hours: number) => check('12025550111', `simSwap:maxAge=${hours}`, '--json')
    const [wide, narrow, kyc] = await Promise.all([
      window(100),
      window(99),
      check('917020140165', 'kycMatch:givenName=Asha,familyName=Rao', 'tenure:since=2025-01-01'),
    ])
    assert.deepEqual(Object.keys(JSON.parse(wide.stdout).checks), ['simSwap'])
    assert.equal(JSON.parse(wide.stdout).checks.simSwap.swapped, true)
    assert.equal(JSON.parse(narrow.stdout).checks.simSwap.swapped, false)
    assert.equal(narrow.code, 0, 'the answer does not change the exit code')
    assert.match(kyc.stdout, /\nKYC match +matches (yes|no), compared 2, givenName (yes|no), familyName (yes|no) /)
    assert.match(kyc.stdout, /\nTenure +/)
  })

  test('states the purpose of the checks, and says what the service refuses of it', async () => {
    const purpose = ['--purpose', 'dpv:FraudPreventionAndDetection']
    const [stated, incomplete, wrong, basis] = await Promise.all([
      check('917020141726', 'simSwap', ...purpose, '--legal-basis', 'CONTRACT', '--consent-reference', 'order-1'),
      check('917020141726', 'simSwap', '--consent-reference', 'order-1'),
      check('917020141726', 'simSwap', ...purpose, '--consent-reference', '=1+1'),
      check('917020141726', 'simSwap', ...purpose, '--legal-basis', 'contract'),
    ])
    assert.equal(stated.code, 0, stated.stderr)
    assertFailed(incomplete, /belong to a purpose: add --purpose/)
    assert.deepEqual([wrong.code, basis.code], [1, 2])
    assert.match(wrong.stdout, /consent\.reference must be an id of 1 to 128 letters, digits and/)
    assert.match(basis.stderr, /Allowed choices are CONSENT, CONTRACT/)
  })

  test('exits with 1 and gives the reason when a check has no answer', async () => {
    const [failed, refused, secret, unsupported] = await Promise.all([
      check('12025550150', 'simSwap', 'portability'),
      check('1', 'portability', '--json'),
      check('917020141726', 'portability', '--client-id', 'rfc_x', '--client-secret', 'rfs_x'),
      check('61491570159', 'simSwap'),
    ])
    assert.equal(failed.code, 1)
    assert.match(failed.stdout, /\nSIM swap +not known\n/)
    assert.match(failed.stdout, /\nPortability +ported no +fresh +sandbox\n/)
    assert.match(failed.stdout, /\nSIM swap: .+ \(P7314\)\n/)

    assert.equal(refused.code, 1)
    const { error, meta } = JSON.parse(refused.stdout)
    assert.deepEqual([error.code, error.status, error.errorCode], ['invalid_request', 400, 'P7102'])
    assert.ok(meta.requestId)

    assert.equal(secret.code, 1)
    assert.match(secret.stdout, /\nInvalid client credentials/)
    assert.equal(unsupported.code, 1)
    assert.match(unsupported.stdout, /\nSIM swap: .+ \(P7311\)\n/)
  })

  test('says why the service refuses a number, with its notice', async () => {
    const [text, json] = await Promise.all([check('0491570110'), check('0491570110', '--json')])
    const notice = 'phoneNumber must start with the country calling code instead of the leading 0'
    assert.match(text.stdout, new RegExp(`^0491570110\\n\\n.+ \\(HTTP 400 P7102\\)\\. ${notice}, request \\S+\\n$`))
    assert.equal(JSON.parse(json.stdout).error.notice, notice)
    assert.deepEqual([text.code, json.code], [1, 1])
  })

  test('removes control characters from what a service answers', async (t) => {
    const impostor = createServer((request, response) => {
      const simSwap = {
        success: false,
        error: { message: '\u001b]0;title\u0007', description: '\r\na', errorCode: '1' },
      }
      const portability = { success: true, ageSeconds: 0, source: '\u009b2J', ported: false }
      response
        .writeHead(request.method === 'POST' ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify({ phoneDetail: { operator: 'a\nb', country: '\u2028' }, checks: { simSwap, portability } }))
    })
    impostor.listen(0, '127.0.0.1')
    await once(impostor, 'listening')
    t.after(() => impostor.close())
    const url = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`
    const { stdout } = await line.run(['check', '61491570156', 'simSwap', 'portability', '--url', url], {
      env: { RINGFENCE_CLIENT_ID: 'rfc_x', RINGFENCE_CLIENT_SECRET: 'rfs_x' },
    })
    assert.match(stdout, /\nPortability +ported no +fresh +\ufffd2J\n/)
    assert.match(stdout, /\nSIM swap: \ufffd\]0;title\ufffd: \ufffd\ufffda \(1\)\n/)
    assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
  })

  test('reports what is missing on the command line before it calls the service', async (t) => {
    const elsewhere = await commandLine(t)
    const [port] = await freePorts(1)
    const [none, half, unknown, misplaced, twice, text, noDay, future, noAddress, nobody] = await Promise.all([
      elsewhere.run(['check', '917020141726']),
      elsewhere.run(['check', '917020141726'], { env: { RINGFENCE_CLIENT_ID: 'rfc_x' } }),
      elsewhere.run(['check', '917020141726', 'simSwaps']),
      elsewhere.run(['check', '917020141726', 'portability:maxAge=5']),
      elsewhere.run(['check', '917020141726', 'simSwap', 'simSwap']),
      elsewhere.run(['check', '917020141726', 'simSwap:maxAge=long']),
      elsewhere.run(['check', '917020141726', 'tenure:since=2025-02-30']),
      elsewhere.run(['check', '917020141726', 'kycMatch:name=Asha,birthdate=2199-01-01']),
      elsewhere.run(['check', '917020141726', '--url', 'nonsense']),
      elsewhere.run(['check', '917020141726', '--url', `http://127.0.0.1:${port}`], {
        env: { RINGFENCE_CLIENT_ID: 'rfc_x', RINGFENCE_CLIENT_SECRET: 'rfs_x' },
      }),
    ])
    assertFailed(none, /no credentials: set RINGFENCE_CLIENT_ID and RINGFENCE_CLIENT_SECRET/)
    assertFailed(half, /credentials are a client ID and a client secret: set RINGFENCE_CLIENT_SECRET too/)
    assertFailed(unknown, /There is no check simSwaps\. Checks: simSwap, deviceSwap, /, 2)
    assertFailed(misplaced, /portability has no parameter "maxAge=5"\. Parameters: none\./, 2)
    assertFailed(twice, /simSwap is there twice\./, 2)
    assertFailed(text, /maxAge of simSwap must be a number\./, 2)
    assertFailed(noDay, /tenure: since must be a date that exists, as YYYY-MM-DD\./, 2)
    assertFailed(future, /kycMatch: birthdate must not be in the future: send a date until today/, 2)
    assertFailed(noAddress, /--url \(or RINGFENCE_URL\) must be a URL such as http:/, 2)
    assertFailed(nobody, /nothing listens at http:\/\/127\.0\.0\.1:\d+: .*ringfence serve.* --url or RINGFENCE_URL/)
  })
})
