import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alphabet, checksum } from '../../core/crypto/api-key.ts'
import { bucketOf, makeToken, tokenKey } from './token.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const days = 86_400_000

test('a token is a prefix, a bucket, 256 random bits and a checksum, and no two are equal', () => {
  const tokens = Array.from({ length: 2000 }, () => makeToken(now))
  for (const token of tokens) assert.match(token, /^rft_[0-9A-Za-z]{52}$/)
  assert.equal(new Set(tokens).size, tokens.length)
  const digits = tokens.map((token) => token.slice(7, -6)).join('')
  // 86,000 digits, each expected 1,387 times with a standard deviation of 37. Six deviations never
  // occur by chance.
  for (const digit of alphabet) {
    const count = digits.split(digit).length - 1
    assert.ok(Math.abs(count - digits.length / 62) < 6 * 37, `${digit} ${count}`)
  }
})

test('finds the key of a token whatever the clock says, within half of the bucket range', () => {
  for (const startsAt of [now, Date.parse('2027-06-30T00:00:00Z'), 65_535 * 600_000, 65_536 * 600_000]) {
    const token = makeToken(startsAt + 300_000)
    const key = tokenKey(token, startsAt)
    assert.equal(key?.bucket, bucketOf(startsAt + 300_000))
    for (const jump of [-200, -30, -1, 1, 30, 200]) assert.deepEqual(tokenKey(token, startsAt + jump * days), key)
    assert.notDeepEqual(tokenKey(token, startsAt + 455 * days), key)
  }
})

test('an invalid token has no key: wrong length, digits, checksum or bucket', () => {
  const token = makeToken(now)
  const digits = token.slice(7, -6)
  const signed = (body: string) => body + checksum(body)
  assert.ok(tokenKey(signed(`rft_H31${digits}`), now))
  for (const other of [
    '',
    'rft_',
    token.slice(0, -1),
    `${token}0`,
    ` ${token}`,
    `${token}\n`,
    token.toUpperCase(),
    token.replace('rft_', 'rfs_'),
    `${token.slice(0, 20)}\u0430${token.slice(21)}`,
    `${token.slice(0, -6)}000000`,
    signed(`rft_H32${digits}`),
    signed(`rft_zzz${digits}`),
    signed(`rft_000${digits.slice(1)}`),
  ]) {
    assert.equal(tokenKey(other, now), undefined, other)
  }
})
