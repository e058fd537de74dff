import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { identity, login } from '../tokens/testing.ts'

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

test('escapes everything but printable ASCII in a notice', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const field = await post(simSwap, '{"phoneNumber":"917020141726","é\\r\\nx: y":1,"__proto__":{"maxAge":1}}')
  assert.equal(field.status, 200)
  assert.equal(
    noticeOf(field),
    String.raw`unknown field "\u00e9\r\nx: y" was ignored; unknown field "__proto__" was ignored`,
  )
  const key = await post(issue, { ...login, identities: [{ ...identity, 'é\r\nx: y': 1 }] })
  assert.equal(key.status, 400)
  assert.match(
    noticeOf(key) ?? '',
    /^identities\.0\.\\u00e9\\u000d\\u000ax: y is not a known key; allowed: identityType, [ -~]+$/,
  )
})

test('cuts the notices of a response to 512 bytes, and the reason of the refusal last', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const unknown = Object.fromEntries('abcdefgh'.split('').map((key) => [key + 'é'.repeat(500), 1]))
  const ignored = noticeOf(await post(simSwap, { ...number, ...unknown }))
  assert.match(ignored ?? '', /^unknown field "a(\\u00e9){63}" was ignored; unknown field "b(\\u00e9)+\.\.\.$/)
  const refused = noticeOf(await post(simSwap, unknown))
  assert.match(
    refused ?? '',
    /^unknown field "a(\\u00e9)+(" was.*)?\.\.\.; phoneNumber is missing: .*without a plus sign$/,
  )
  const longKey = await post(issue, { ...login, identities: [{ ...identity, ['é'.repeat(5000)]: 1 }] })
  assert.equal(longKey.status, 400)
  assert.match(noticeOf(longKey) ?? '', /^identities\.0\.(\\u00e9)+\.\.\.$/)
  const both = noticeOf(
    await post(issue, { ...unknown, ...login, identities: [{ ...identity, ['é'.repeat(5000)]: 1 }] }),
  )
  assert.match(both ?? '', /^identities\.0\.(\\u00e9)+\.\.\.$/)
  for (const notice of [ignored, refused, noticeOf(longKey), both]) {
    assert.ok(notice && notice.length > 500 && notice.length <= 512, `${notice?.length} bytes`)
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

test('leaves long numbers out of the names of unknown fields, because they may be phone numbers', async (t) => {
  const { post } = await startTestService(t, await open(t))
  assert.equal(
    noticeOf(await post(simSwap, { ...number, '+917020141726': 1, sim12345: 1 })),
    'unknown field "+..." was ignored; unknown field "sim12345" was ignored',
  )
  const many = Object.fromEntries('abcdefghij'.split('').map((key) => [`917020141726${key}`, 1]))
  for (const identities of [[{ ...identity, '917020141726': 1 }], [{ ...identity, ...many }]]) {
    const { status, headers } = await post(issue, { ...login, identities })
    assert.equal(status, 400)
    assert.match(headers.get('x-ringfence-notice') ?? '', /^identities\.0\.\.\.\.[a-j]?.* is not a known key/)
    assert.doesNotMatch(headers.get('x-ringfence-notice') ?? '', /\d{6}/)
  }
})
