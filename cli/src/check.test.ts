import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { assertFailed, type CommandLine, commandLine, type ServiceProcess } from './testing.ts'

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

  test('runs all three checks when none is named, with the credentials of the sandbox', async () => {
    const [readable, json] = await Promise.all([check('+61 491 570 156'), check('61491570156', '--json')])
    assert.equal(readable.code, 0)
    assert.match(readable.stdout, /^61491570156, MOBILE, AU/)
    assert.match(readable.stdout, /CHECK +ANSWER +OPERATOR +HOME OPERATOR +PORTED +AGE +SANDBOX\n/)
    assert.match(readable.stdout, /SIM swap +swapped +SANDBOX_(\w+) +SANDBOX_(?!\1)\w+ +fresh +yes\n/)
    assert.match(readable.stdout, /Call forwarding +forwarded +SANDBOX_\w+ +SANDBOX_\w+ +yes +fresh +yes\n/)
    assert.match(readable.stdout, /Portability +ported +SANDBOX_\w+ +SANDBOX_\w+ +yes +fresh +yes\n/)
    assert.ok(!readable.stdout.includes('\u001b'), 'no colours where there is no terminal')

    assert.equal(json.code, 0)
    const { simSwapCheck, callForwardingCheck, portability } = JSON.parse(json.stdout)
    assert.equal(simSwapCheck.swapped, true)
    assert.equal(simSwapCheck.meta.sandbox, true)
    assert.equal(callForwardingCheck.callForwardingType, 'active')
    assert.equal(portability.phoneDetail.isPorted, true)
  })

  test('runs only the named check, within --max-age hours', async () => {
    const window = (hours: string) => check('12025550111', '--sim-swap', '--max-age', hours, '--json')
    const [wide, narrow] = await Promise.all([window('100'), window('99')])
    assert.deepEqual(Object.keys(JSON.parse(wide.stdout)), ['simSwapCheck'])
    assert.equal(JSON.parse(wide.stdout).simSwapCheck.swapped, true)
    assert.equal(JSON.parse(narrow.stdout).simSwapCheck.swapped, false)
    assert.equal(narrow.code, 0, 'the answer does not change the exit code')
  })

  test('exits with 1 and gives the reason when a check has no answer', async () => {
    const [failed, refused, secret, unsupported] = await Promise.all([
      check('12025550150'),
      check('1', '--portability', '--json'),
      check('917020141726', '--portability', '--client-id', 'rfc_x', '--client-secret', 'rfs_x'),
      check('61491570159', '--sim-swap'),
    ])
    assert.equal(failed.code, 1)
    assert.match(failed.stdout, /SIM swap +not completed .*\n/)
    assert.match(failed.stdout, /Portability +not ported .*\n/)
    assert.match(failed.stdout, /\nSIM swap: SIM swap check failed: .* \(P7314\), request \S+\n/)

    assert.equal(refused.code, 1)
    const { error, meta } = JSON.parse(refused.stdout).portability
    assert.deepEqual([error.code, error.status, error.errorCode], ['invalid_request', 400, 'P7102'])
    assert.ok(meta.requestId)

    assert.equal(secret.code, 1)
    assert.match(secret.stdout, /Portability +refused\n/)
    assert.equal(unsupported.code, 1)
    assert.match(unsupported.stdout, /SIM swap +not supported\n/)
    assert.match(unsupported.stdout, /\nSIM swap: .+ \(HTTP 400 P7311\), request \S+\n/)
    assert.match(secret.stdout, /Portability: Invalid client credentials/)
  })

  test('says once why all checks refuse a number, with the notice of the service', async () => {
    const [all, one, json] = await Promise.all([
      check('0491570110'),
      check('0491570110', '--sim-swap'),
      check('0491570110', '--sim-swap', '--json'),
    ])
    const notice = 'phoneNumber must start with the country calling code instead of the leading 0'
    assert.match(
      all.stdout,
      new RegExp(`\\n\\nAll checks: .+ \\(HTTP 400 P7102\\); ${notice}, requests \\S+, \\S+, \\S+\\n$`),
    )
    assert.match(one.stdout, new RegExp(`\\n\\nSIM swap: .+ \\(HTTP 400 P7102\\); ${notice}, request \\S+\\n$`))
    assert.equal(JSON.parse(json.stdout).simSwapCheck.error.notice, notice)
    assert.deepEqual([all.code, one.code, json.code], [1, 1, 1])
  })

  test('removes control characters from what a service answers', async (t) => {
    const impostor = createServer((request, response) => {
      const refused = request.url?.includes('sim-swap')
      const body = refused
        ? { message: '\u001b]0;title\u0007', errorCode: 'P7102', description: '\r\nSIM swap  not swapped' }
        : { success: true, phoneDetail: { operator: '\u009b2J\u202eA', isPorted: false, location: 'a\nb' } }
      response.writeHead(refused ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    impostor.listen(0, '127.0.0.1')
    await once(impostor, 'listening')
    t.after(() => impostor.close())
    const url = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`
    const { stdout } = await line.run(['check', '61491570156', '--sim-swap', '--portability', '--url', url], {
      env: { RINGFENCE_CLIENT_ID: 'rfc_x', RINGFENCE_CLIENT_SECRET: 'rfs_x' },
    })
    assert.match(stdout, /Portability +not ported +\ufffd2J\ufffdA /)
    assert.match(stdout, /\nSIM swap: \ufffd\]0;title\ufffd: \ufffd\ufffdSIM swap {2}not swapped \(HTTP 400 P7102\)/)
    assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
    assert.equal(stdout.split('\n').length, 8)
  })

  test('reports what is missing on the command line before it calls the service', async (t) => {
    const elsewhere = await commandLine(t)
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const [none, half, misplaced, noAddress, nobody] = await Promise.all([
      elsewhere.run(['check', '917020141726']),
      elsewhere.run(['check', '917020141726'], { env: { RINGFENCE_CLIENT_ID: 'rfc_x' } }),
      elsewhere.run(['check', '917020141726', '--portability', '--max-age', '5']),
      elsewhere.run(['check', '917020141726', '--url', 'nonsense']),
      elsewhere.run(['check', '917020141726', '--url', `http://127.0.0.1:${port}`], {
        env: { RINGFENCE_CLIENT_ID: 'rfc_x', RINGFENCE_CLIENT_SECRET: 'rfs_x' },
      }),
    ])
    assertFailed(none, /no credentials: set RINGFENCE_CLIENT_ID and RINGFENCE_CLIENT_SECRET/)
    assertFailed(half, /credentials are a client ID and a client secret: set RINGFENCE_CLIENT_SECRET too/)
    assertFailed(misplaced, /--max-age only applies to --sim-swap/, 2)
    assertFailed(noAddress, /--url \(or RINGFENCE_URL\) must be a URL such as http:/, 2)
    assertFailed(nobody, /nothing listens at http:\/\/127\.0\.0\.1:\d+: .*ringfence serve.* --url or RINGFENCE_URL/)
  })
})
