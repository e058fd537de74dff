// Does any code reach another server than the one that issued it? The attacks of RFC 9700, 4.4, on every sign-in.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { clientId } from './testing/authorization-server.ts'
import { discovering, type Name, type SignIn, signIns } from './testing/sign-ins.ts'

/** The browser follows redirects to one of our URLs. Undefined: a server has refused. */
async function follow(url: string, { servers }: SignIn): Promise<URL | undefined> {
  const ofServers = Object.values(servers).map((server) => server.url)
  let at = new URL(url)
  for (let hops = 0; hops < 5 && ofServers.includes(at.origin); hops++) {
    const location = (await fetch(at, { redirect: 'manual' })).headers.get('location')
    if (location === null) return undefined
    at = new URL(location)
  }
  return at
}

async function signInAt(name: Name, signIn: SignIn, edit: (back: URL) => URL = (back) => back): Promise<boolean> {
  const back = await follow(await signIn.begin(name), signIn)
  return back !== undefined && signIn.comeBack(edit(back))
}

/** Every code went only to the server that issued it. */
function noneElsewhere({ servers: { honest, hostile } }: SignIn, message: string): void {
  for (const [one, other] of [
    [honest, hostile],
    [hostile, honest],
  ] as const)
    assert.deepEqual(
      one.received.filter((code) => other.issued.includes(code)),
      [],
      message,
    )
}

/** The hostile server sends the victim on to the honest one, in its own sign-in or in one of the attacker with his code challenge. */
function sendOn({ servers: { honest, hostile } }: SignIn, redirectUri: string, pkce: 'kept' | 'stripped' | 'replaced') {
  hostile.authorize = (query) => {
    const url = new URL(`${honest.url}/authorize?${query}`)
    url.searchParams.set('client_id', clientId)
    url.searchParams.set('redirect_uri', redirectUri)
    if (pkce === 'stripped')
      for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name)
    if (pkce === 'replaced') url.searchParams.set('code_challenge', hash('sha256', 'of-the-attacker', 'base64url'))
    return url
  }
}

const placedAt = (url: string) => (back: URL) => new URL(url + back.search)
const edited = (name: string, value: string) => (back: URL) => {
  back.searchParams.set(name, value)
  return back
}

eachDatabase(({ engine, open }) => {
  for (const [what, openSignIn] of Object.entries(signIns)) {
    test(`no code of an honest server reaches a hostile one by ${what} (${engine})`, async (t) => {
      const signIn = await openSignIn(t, await open(t))
      const { servers, callbackUrls, sharedUrl } = signIn
      const { honest, hostile } = servers
      for (const iss of [undefined, honest.url]) {
        Object.assign(honest, { iss, redirectUris: [callbackUrls.honest, sharedUrl] })
        assert.equal(await signInAt('honest', signIn), true, 'an honest sign-in works')
      }
      assert.equal(honest.received.length, 2)
      for (const redirectUri of [callbackUrls.honest, sharedUrl, callbackUrls.hostile])
        for (const iss of [undefined, honest.url, hostile.url, 'https://login.evil.example', ''])
          for (const pkce of ['kept', 'stripped', 'replaced'] as const) {
            Object.assign(honest, { iss })
            sendOn(signIn, redirectUri, pkce)
            const attack = JSON.stringify({ redirectUri, iss, pkce })
            assert.equal(await signInAt('hostile', signIn), false, attack)
            noneElsewhere(signIn, attack)
          }
      // A server that allows any redirect URI, but names itself.
      Object.assign(honest, { iss: honest.url, redirectUris: undefined })
      sendOn(signIn, callbackUrls.hostile, 'stripped')
      assert.equal(await signInAt('hostile', signIn), false)
      noneElsewhere(signIn, 'a server that allows any redirect URI')
    })

    test(`an answer is accepted once, at the callback URL of its server only, by ${what} (${engine})`, async (t) => {
      const signIn = await openSignIn(t, await open(t))
      const { servers, callbackUrls, sharedUrl } = signIn
      const { honest, hostile } = servers
      const wrong = {
        'at the URL of another connection': placedAt(callbackUrls.hostile),
        'at the shared URL': placedAt(sharedUrl),
        'at the URL of no connection': placedAt(`${callbackUrls.honest}x`),
        'with the issuer of another server': edited('iss', hostile.url),
        'with an issuer that is none': edited('iss', 'x'),
        'with two issuers': (back: URL) => new URL(`${back.href}&iss=${honest.url}&iss=${hostile.url}`),
      }
      for (const [how, edit] of Object.entries(wrong)) {
        assert.equal(await signInAt('honest', signIn, edit).catch(() => false), false, how)
        assert.deepEqual([...honest.received, ...hostile.received], [], `nothing was sent: ${how}`)
      }
      const back = (await follow(await signIn.begin('honest'), signIn))!
      assert.equal(await signIn.comeBack(back), true)
      assert.equal(await signIn.comeBack(back).catch(() => false), false, 'a replay')
      assert.equal(honest.received.length, 1, 'the code was sent once')
      const [own, other] = [await signIn.begin('honest'), await signIn.begin('hostile')]
      const state = new URL(other).searchParams.get('state')!
      const code = new URL((await follow(own, signIn))!)
      assert.equal(await signIn.comeBack(edited('state', state)(code)).catch(() => false), false, 'of another attempt')
      noneElsewhere(signIn, 'the state of another attempt')
    })
  }

  for (const what of discovering) {
    test(`an issuer that metadata promises is required by ${what} (${engine})`, async (t) => {
      const metadata = { authorization_response_iss_parameter_supported: true }
      const signIn = await signIns[what](t, await open(t), metadata)
      const { honest } = signIn.servers
      assert.equal(await signInAt('honest', signIn), false)
      assert.deepEqual(honest.received, [], 'nothing was sent')
      honest.iss = honest.url
      assert.equal(await signInAt('honest', signIn), true)
    })

    test(`metadata that mixes the endpoints of two servers get no code by ${what} (${engine})`, async (t) => {
      const signIn = await signIns[what](t, await open(t))
      const { servers, callbackUrls, sharedUrl } = signIn
      servers.honest.redirectUris = [callbackUrls.honest, sharedUrl]
      servers.hostile.metadata.authorization_endpoint = `${servers.honest.url}/authorize`
      assert.equal(await signInAt('hostile', signIn), false)
      servers.honest.redirectUris = undefined
      servers.honest.iss = servers.honest.url
      assert.equal(await signInAt('hostile', signIn), false)
      noneElsewhere(signIn, 'a token endpoint beside an authorization endpoint of another server')
    })
  }
})
