import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import Type from 'typebox'
import { startSignInService } from '../../sign-in/authentication/testing/sign-in-service.ts'
import { identity, login } from '../../sign-in/tokens/testing.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { bodyReader } from '../request/body.ts'
import { rowsOf } from '../rows.ts'
import { checkFields } from '../steps/handle.ts'
import { Reply } from './reply.ts'

const { open } = sqliteDatabases
const simSwap = endpoints.simSwapCheck.path
const issue = endpoints.issueToken.path
const number = { phoneNumber: '917020141726' }
const noticeOf = ({ headers }: { headers: Headers }) => headers.get('x-ringfence-notice')

test('ignores an unknown field and names it in x-ringfence-notice', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const miscased = await post(simSwap, { ...number, maxage: 1 })
  assert.equal(miscased.status, 200)
  assert.equal(noticeOf(miscased), 'unknown field "maxage" was ignored, did you mean "maxAge"?')
  const refused = await post(simSwap, {
    phonenumber: '1',
    ...Object.fromEntries('abcdefghi'.split('').map((key) => [key, 1])),
  })
  assert.equal(refused.status, 400)
  assert.match(noticeOf(refused) ?? '', /^unknown field "phonenumber" .*; and 2 more; phoneNumber is missing/)
  assert.equal(noticeOf(await post(simSwap, number)), null)
})

test('what was ignored reaches no handler, but for what the proof of a phone covers', () => {
  const body = bodyReader(Type.Object({ asked: Type.String() }), {})
  const sent = { asked: 'this', expiresAt: 1, id: 'x' }
  const read = (method: 'GET' | 'POST', hasFacts = false) => {
    const row = { path: '/x', method, hasFacts, body }
    const progress = {
      ...{ row, arrival: { path: '/x' }, url: '/x?asked=this&id=x' },
      body: method === 'GET' ? undefined : sent,
      reply: new Reply({} as never),
    }
    checkFields(progress as never, { rows: rowsOf([]) } as never)
    return progress.body
  }
  assert.deepEqual(read('POST'), { asked: 'this' })
  assert.deepEqual(read('GET'), { asked: 'this' })
  assert.deepEqual(read('POST', true), sent)
})

test('repeats the name of a field only if it is a few words of letters, and counts the others', async (t) => {
  const { post, credentials } = await startTestService(t, await open(t))
  const token = 'rft_0gXb3uSmsDVD3oXGOpC6Wr4TbZ6hAWcyzZbTqVhQyAuTYJuPp3'
  const secrets = [
    token,
    token.slice(0, 20),
    credentials.clientSecret,
    'hunter2',
    'correct horse',
    'asha@example.com',
    '+917020141726',
    '917020141726',
    'sim12345',
    'aGhTfBzQ',
    'x'.repeat(40),
    '__proto__',
    'é\r\nx: y',
    '',
  ]
  for (const name of secrets) {
    const one = noticeOf(await post(simSwap, `{"phoneNumber":"917020141726",${JSON.stringify(name)}:1}`))
    assert.equal(one, 'an unknown field was ignored', name)
    const identities = `[${JSON.stringify(identity).slice(0, -1)},${JSON.stringify(name)}:1}]`
    const nested = await post(issue, `{"userId":"u","identities":${identities}}`)
    assert.equal(nested.status, 400)
    assert.match(
      noticeOf(nested) ?? '',
      /^identities\.0\.\.\.\. is not a known key; allowed: identityType, [ -~]+$/,
      name,
    )
  }
  const all = Object.fromEntries(secrets.map((name) => [name, 1]))
  assert.match(noticeOf(await post(simSwap, { ...number, ...all })) ?? '', /^\d+ unknown fields were ignored$/)
  assert.match(
    noticeOf(await post(simSwap, { ...number, ...all, phone_number: 1, deviceType: 1, MAX_AGE: 1 })) ?? '',
    /^unknown field "phone_number" was ignored, did you mean "phoneNumber"\?; unknown field "MAX_AGE" was ignored, did you mean "maxAge"\?; unknown field "deviceType" was ignored; and \d+ more$/,
  )
})

test('repeats no key of a map that the caller sent, wherever the body describes the mistake', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const secret = 'rft_0gXb3uSmsDVD3oXGOpC6Wr4TbZ6hAWcyzZbTqVhQyAuTYJuPp3'
  for (const { path, request, method } of Object.values(endpoints)) {
    if (method === 'GET') continue
    const fields = Object.keys((request as unknown as { properties: object }).properties)
    for (const field of fields) {
      for (const value of [{ [secret]: secret }, [{ [secret]: 1 }], { [secret]: { [secret]: 1 } }, secret, 1]) {
        const { status, body, headers } = await post(path, { [field]: value, [secret]: 1 })
        // What was accepted, such as a user id, may be returned.
        const answer = JSON.stringify([...headers, status === 200 ? '' : body])
        assert.ok(!answer.includes(secret.slice(4, 12)), `${path} ${field}: ${answer}`)
      }
    }
  }
})

test('cuts the notices of a response to 512 bytes, and the reason of the refusal last', async (t) => {
  const { post, start } = await startSignInService(t, await open(t))
  const long = 'aaaaaaaaaaaaaaaa_bbbbbbbbbbbbbb'
  const unknown = Object.fromEntries('abcdefghijk'.split('').map((key) => [key + long.slice(1), 1]))
  const ignored = noticeOf(await post(simSwap, { ...number, ...unknown }))
  assert.match(ignored ?? '', /^unknown field "aaaaaaaaaaaaaaaa_b+" was ignored; unknown field "ba.*; and 3 more$/)
  const refused = noticeOf(await post(simSwap, unknown))
  assert.match(refused ?? '', /^unknown field "a.*\.\.\.; phoneNumber is missing: .*without a plus sign$/)
  const both = noticeOf(await start({ ...unknown, identity: { type: 'PHONE', value: '1' } }))
  assert.match(both ?? '', /^unknown field "a.*\.\.\.; identity\.type must be one of MOBILE, EMAIL$/)
  for (const notice of [ignored, refused, both]) {
    assert.ok(notice && notice.length > 400 && notice.length <= 512, `${notice?.length} bytes`)
  }
})

test('gives no notice of a mistake that the body names', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const label = await post(endpoints.labelReports.path, { labels: [] })
  assert.deepEqual([label.status, label.body.errorMessage], [400, 'labels must not be empty'])
  assert.equal(noticeOf(label), null)
})

test('blames the unknown keys of an identity, not another field', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const unknown = Object.fromEntries('abcdefghij'.split('').map((key) => [key, 1]))
  const { status, body, headers } = await post(issue, { ...login, identities: [{ ...identity, ...unknown }] })
  assert.deepEqual([status, body.errorCode], [400, '7102'])
  assert.match(body.description, /: identities must be a list /)
  assert.match(headers.get('x-ringfence-notice') ?? '', /^identities\.0\.a.* is not a known key/)
})
