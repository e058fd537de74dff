// Can a token be guessed, derived from another one, or used when it is revoked, expired or foreign? Unchanged tokens are all accepted.

import { randomInt } from 'node:crypto'
import { endpoints, readSamples } from '@ringfence/contract'
import { alphabet, checksum } from '../../server/src/core/crypto/api-key.ts'
import { makeToken } from '../../server/src/sign-in/tokens/token.ts'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../server/src/testing/databases.ts'
import { startTestService } from '../../server/src/testing/test-service.ts'
import { eachOf, type PromiseProgram, type RunOptions } from './promise.ts'

const lifetimeMs = 300_000
const samples = readSamples()
const invalidToken = JSON.stringify(samples.ErrorBody?.['token-invalid'])
const expiredToken = JSON.stringify(samples.ErrorBody?.['token-expired'])

export const tokens: PromiseProgram = {
  name: 'tokens',
  promise:
    'no token can be guessed: 0 changed, invented, foreign, revoked or expired tokens accepted, all unchanged ones',
  async run(run) {
    const counts = { 'changed tokens': 0, 'untouched tokens': 0 }
    for (const databases of [sqliteDatabases, postgresDatabases]) {
      const { changed, untouched } = await tried(databases, run)
      counts['changed tokens'] += changed
      counts['untouched tokens'] += untouched
    }
    return { figures: { ...counts, 'wrongly answered': run.complaints.count } }
  },
}

async function tried({ engine, open }: TestDatabases, run: RunOptions) {
  const {
    clock,
    post,
    parts: needs,
  } = await startTestService(run, await open(run), {
    settings: { clientRatePerSecond: 1_000_000, overloadDelayMs: 60_000 },
  })
  const otherTenant = await needs.tenantKeyring.createTenant('other')
  const foreigner = { ...(await needs.clients.createClient(otherTenant.id, 'other')) }
  const issue = async (): Promise<string> =>
    (await post(endpoints.issueToken.path, samples.IssueTokenRequest?.ordinary)).body.token
  const refused = async (why: string, token: string, headers: Readonly<Record<string, string>> = {}) => {
    const { status, body } = await post(endpoints.validateToken.path, { token }, headers)
    const holds = status === 400 && JSON.stringify(body) === invalidToken
    run.unless(holds, () => `${engine}: ${JSON.stringify(token)}, ${why}, is answered ${status}`)
  }
  const untouched: string[] = []
  let changed = 0
  // About 90 changes of each token: a million in the full run.
  await eachOf(Array.from({ length: run.full ? 5700 : 25 }), 16, async () => {
    const token = await issue()
    untouched.push(token)
    await refused("another tenant's", token, foreigner)
    const revoked = await issue()
    await post(endpoints.revokeToken.path, { token: revoked })
    await refused('revoked', revoked)
    changed += 2
    for (const other of changesOf(token, clock.now())) {
      changed++
      await refused(`made from ${token}`, other)
    }
    if (untouched.length % 500 === 0) run.say(`${changed} changed tokens (${engine})`)
  })
  await eachOf(untouched, 16, async (token) => {
    const { status, body } = await post(endpoints.validateToken.path, { token })
    run.unless(status === 200 && body.token === token, () => `${engine}: ${token} is answered ${status}`)
  })
  clock.advance({ seconds: lifetimeMs / 1000 })
  await eachOf(untouched, 16, async (token) => {
    const { status, body } = await post(endpoints.validateToken.path, { token })
    const holds = status === 401 && JSON.stringify(body) === expiredToken
    run.unless(holds, () => `${engine}: ${token} is answered ${status} after its end`)
  })
  changed += untouched.length
  return { changed, untouched: untouched.length }
}

/** Every change of one character at some place, then cut, doubled and reversed texts, then invented ones. */
function* changesOf(token: string, now: number): Generator<string> {
  const place = randomInt(token.length)
  for (const digit of [...alphabet, '_', ' ', 'é', '\ud800', '\0']) {
    if (digit !== token[place]) yield token.slice(0, place) + digit + token.slice(place + 1)
  }
  yield token.slice(0, -1)
  yield token.slice(1)
  yield token.slice(0, randomInt(token.length))
  yield `${token}${token.at(-1)}`
  yield ` ${token}`
  yield `${token}\n`
  yield token + token
  yield token.toLowerCase()
  yield token.toUpperCase()
  const letters = [...token].flatMap((digit, index) => (/[a-z]/i.test(digit) ? [index] : []))
  const letter = letters[randomInt(letters.length)]!
  yield token.slice(0, letter) + otherCase(token[letter]!) + token.slice(letter + 1)
  yield [...token].reverse().join('')
  // With a valid checksum: only the store knows that these tokens do not exist.
  const signed = (body: string) => body + checksum(body)
  const body = token.slice(0, -6)
  for (let count = 0; count < 8; count++) {
    const at = 7 + randomInt(body.length - 7)
    const digit = alphabet[(alphabet.indexOf(body[at]!) + 1 + randomInt(61)) % 62]
    yield signed(body.slice(0, at) + digit + body.slice(at + 1))
  }
  yield signed(`rft_000${body.slice(7)}`)
  yield signed(`rft_zzz${body.slice(7)}`)
  yield makeToken(now + lifetimeMs)
}

const otherCase = (letter: string) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase())
