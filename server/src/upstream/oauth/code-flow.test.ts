import assert from 'node:assert/strict'
import { test } from 'node:test'
import { None } from 'openid-client'
import { testClock } from '../../testing/test-clock.ts'
import { callbackUrl, cameBackTo, checkCallbacks } from './callback-url.ts'
import { AnswerRefused, answerOf, beginCodeFlow, finishCodeFlow, type OAuthClient } from './code-flow.ts'

const server = {
  issuer: 'https://id.example',
  authorization_endpoint: 'https://id.example/authorize',
  token_endpoint: 'https://id.example/token',
}
const client: OAuthClient = { clientId: 'ringfence', authentication: None(), idToken: 'none' }
const redirectUri = 'https://ringfence.example/callback/id?tenant=7'

/** What the token endpoint got; it refuses every code. */
async function finish(answer: object, at: { client?: object; server?: object } = {}, begunAt = server) {
  const sent: { url: string; form: URLSearchParams }[] = []
  const { secrets } = beginCodeFlow(client, begunAt, { redirectUri, state: 's', parameters: {} })
  const fetch = async (url: string, { body }: { body?: unknown }) => {
    sent.push({ url, form: new URLSearchParams(String(body)) })
    return Response.json({ error: 'invalid_grant' }, { status: 400 })
  }
  const error = await finishCodeFlow(
    { ...client, ...at.client },
    { ...begunAt, ...at.server },
    { code: 'c', state: 's', ...answer },
    { secrets, redirectUri, state: 's' },
    { fetch, clock: testClock() },
  ).catch((failure) => failure)
  return { sent, error }
}

test('sends the code to the server that the sign-in began with, with its redirect URI', async () => {
  const { sent } = await finish({ iss: server.issuer })
  assert.equal(sent[0]!.url, server.token_endpoint)
  const { code, redirect_uri, code_verifier } = Object.fromEntries(sent[0]!.form)
  assert.deepEqual([code, redirect_uri, code_verifier?.length], ['c', redirectUri, 43])
})

test('sends no code when the token endpoint, the issuer or the client has changed since the sign-in began', async () => {
  for (const changed of [
    { server: { token_endpoint: 'https://evil.example/token' } },
    { server: { issuer: 'https://evil.example' } },
    { client: { clientId: 'another' } },
  ]) {
    const { sent, error } = await finish({ iss: server.issuer }, changed)
    assert.ok(error instanceof AnswerRefused, JSON.stringify(changed))
    assert.deepEqual(sent, [])
  }
})

test('compares iss with the origin of the token endpoint when no issuer is known', async () => {
  const { issuer: _, ...unknown } = server
  const sentWith = async (iss?: string) => (await finish({ iss }, {}, unknown as typeof server)).sent.length
  for (const iss of [undefined, 'https://id.example', 'https://id.example/realms/shop'])
    assert.equal(await sentWith(iss), 1)
  for (const iss of ['https://evil.example', 'http://id.example', 'https://id.example.evil.example', 'id.example', ''])
    assert.equal(await sentWith(iss), 0, iss)
})

test('a parameter that is repeated or too long is no answer', () => {
  const read = (text: string) => answerOf(new URLSearchParams(text))
  assert.deepEqual(read('code=a&state=b&iss=c'), { code: 'a', state: 'b', iss: 'c', error: undefined })
  assert.equal(read('code=a&code=b').code, undefined)
  assert.equal(read('iss=a&iss=b').iss, '', 'not left out, or nobody would compare it')
  assert.equal(read(`iss=${'a'.repeat(3000)}`).iss, '')
})

test('connections have a callback URL each, which ends with a name that fits into a path', () => {
  const base = 'https://ringfence.example/callback'
  assert.equal(callbackUrl(base, 'google'), `${base}/google`)
  checkCallbacks('channels', ['google', 'corp'])
  assert.throws(() => checkCallbacks('channels', ['google', 'a.b']), /channels.a.b: .*letters, digits, - and _/)
})

test('an answer came back only to the URL that its sign-in began with', () => {
  const path = '/callback'
  const at = (uri: string, connection: string) => cameBackTo(uri, connection, path)
  assert.equal(at('https://r.example/callback/a', 'a'), true)
  assert.equal(at('https://r.example/callback/a', 'b'), false)
  assert.equal(at('https://r.example/callback', 'a'), false)
})
