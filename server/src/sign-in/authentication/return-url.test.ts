// Who can finish a sign-in with the URL that it leads back to? Only the app or browser that started it. (RFC 7636, RFC 8252)

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import type { SdkClient } from '../../testing/sdk-client.ts'
import {
  appUrl,
  arrivalOf,
  backFromLink,
  backFromOperator,
  backFromProvider,
  exchanged,
  newVerifier,
  platforms,
  type Scene,
  scene,
} from './testing/return-urls.ts'
import { email, mobile } from './testing/sign-in-service.ts'

interface Flow {
  readonly start: object
  back(scene: Scene, authorizationUrl: string): Promise<Response>
}

/** Each way to a return URL. */
const flows = {
  OAUTH: { start: { channel: 'OAUTH', method: 'GOOGLE', identity: undefined }, back: backFromProvider },
  MAGIC_LINK: { start: { channel: 'MAGIC_LINK', identity: email }, back: backFromLink },
  SILENT: { start: { channel: 'SILENT', identity: mobile }, back: backFromOperator },
} satisfies Record<string, Flow>

/** A person starts and returns: what whoever reads the deep link has. */
async function returnOf(place: Scene, { start, back }: Flow, codeChallenge: string | undefined, client: SdkClient) {
  const { status, body } = await place.start({ ...start, redirectUrl: appUrl, codeChallenge }, client)
  assert.equal(status, 200, JSON.stringify(body))
  return arrivalOf(await back(place, body.authorizationUrl))
}

const refused = [400, '7135']
const outcome = ({ status, body }: { status: number; body: { errorCode?: string } }) => [status, body.errorCode]

eachDatabase(({ engine, open }) => {
  for (const [name, flow] of Object.entries<Flow>(flows)) {
    test(`${name}: whoever reads the return URL cannot finish the sign-in, nor keep its owner from it (${engine})`, async (t) => {
      const place = await scene(t, open)
      const owner = newVerifier()
      const { transactionId, code } = await returnOf(place, flow, owner.codeChallenge, await place.session())
      for (const platform of platforms) {
        const attacker = await place.session(platform)
        const { codeVerifier: own } = newVerifier()
        for (const codeVerifier of [undefined, own, owner.codeChallenge, `${owner.codeVerifier}x`]) {
          const seen = await place.verify(transactionId, { code, codeVerifier }, attacker)
          assert.deepEqual(outcome(seen), refused, `${platform} ${codeVerifier}`)
        }
        assert.deepEqual((await place.status(transactionId, attacker)).body, { status: 'PENDING' })
      }
      // It opens the URL with its own codes in the owner's app, which adds the verifier.
      const events = await place.parts.database.query('select * from event')
      for (let time = 0; time < 7; time++) {
        const proof = { code: `wrong-${time}`, codeVerifier: owner.codeVerifier }
        const seen = await place.verify(transactionId, proof, await place.session())
        assert.deepEqual(outcome(seen), [400, '7118'], `wrong code ${time}`)
        await place.verify(transactionId, { otp: '000000' }, await place.session())
      }
      assert.deepEqual(await place.parts.database.query('select * from event'), events, 'nothing fills the store')
      // The app was closed meanwhile, so it has another session.
      const done = await place.verify(transactionId, { code, codeVerifier: owner.codeVerifier }, await place.session())
      assert.equal(done.status, 200, JSON.stringify(done.body))
    })

    test(`${name}: the return URL of an attacker signs nobody's app in (${engine})`, async (t) => {
      const place = await scene(t, open)
      const [attacker, victim] = [newVerifier(), newVerifier()]
      const victimsApp = await place.session()
      await place.start({ codeChallenge: victim.codeChallenge }, victimsApp)
      for (const platform of platforms) {
        const mail = { type: 'EMAIL', value: `mallory-${platform.toLowerCase()}@shop.example` }
        const start = { ...flow.start, ...(name === 'MAGIC_LINK' && { identity: mail }) }
        for (const codeChallenge of [attacker.codeChallenge, undefined]) {
          const session = await place.session(platform)
          const { transactionId, code } = await returnOf(place, { ...flow, start }, codeChallenge, session)
          for (const codeVerifier of [undefined, victim.codeVerifier]) {
            const seen = await place.verify(transactionId, { code, codeVerifier }, victimsApp)
            assert.deepEqual(outcome(seen), refused, `${platform} ${codeChallenge} ${codeVerifier}`)
          }
        }
      }
    })

    test(`${name}: without a challenge, only a backend can exchange the code of a return URL (${engine})`, async (t) => {
      const place = await scene(t, open)
      const client = await place.session()
      const { transactionId, code } = await returnOf(place, flow, undefined, client)
      const { body, status } = await place.verify(transactionId, { code, codeVerifier: undefined }, client)
      assert.equal(status, 400)
      assert.match(body.description, /only a backend can exchange its code; start again with one \(RFC 7636\)$/)
      assert.equal((await exchanged(place, { code })).status, 200)
    })
  }

  test(`the code of a page or phone that opened the URL itself needs its verifier if it has one (${engine})`, async (t) => {
    const place = await scene(t, open)
    const client = await place.session()
    const { codeVerifier, codeChallenge } = newVerifier()
    for (const challenge of [undefined, codeChallenge]) {
      const { body } = await place.start({ channel: 'SILENT', codeChallenge: challenge }, client)
      const opened = await backFromOperator(place, body.authorizationUrl)
      const { ringfence_code: code } = (await opened.json()) as { ringfence_code: string }
      const verify = (codeVerifier?: string) => place.verify(body.transactionId, { code, codeVerifier }, client)
      if (challenge) assert.deepEqual(outcome(await verify()), refused)
      assert.equal((await verify(challenge && codeVerifier)).status, 200)
    }
  })

  test(`a step-up to a link, of which the page does not know, needs the verifier too (${engine})`, async (t) => {
    const gate = { simSwap: { onFound: 'stepUp' }, stepUp: { channel: 'MAGIC_LINK', method: 'SMS' } }
    const place = await scene(t, open, { gate })
    const client = await place.session()
    const { codeVerifier, codeChallenge } = newVerifier()
    const identity = { type: 'MOBILE', value: '61491570110' }
    const { body } = await place.start({ identity, redirectUrl: appUrl, codeChallenge }, client)
    assert.equal(body.channel, 'OTP')
    const { code } = arrivalOf(await backFromLink(place))
    for (const other of [undefined, newVerifier().codeVerifier]) {
      const stolen = await place.verify(body.transactionId, { code, codeVerifier: other }, await place.session())
      assert.deepEqual(outcome(stolen), refused)
    }
    assert.equal((await place.verify(body.transactionId, { code, codeVerifier }, client)).status, 200)
  })

  test(`a repeated start with another challenge is another sign-in (${engine})`, async (t) => {
    const place = await scene(t, open)
    const client = await place.session()
    const [one, two] = [newVerifier(), newVerifier()]
    const start = async (codeChallenge: string, more: object = { ...flows.MAGIC_LINK.start, redirectUrl: appUrl }) =>
      (await place.start({ ...more, codeChallenge }, client)).body.transactionId
    const first = await start(one.codeChallenge)
    assert.equal(await start(one.codeChallenge), first)
    assert.notEqual(await start(two.codeChallenge), first)
    // An OTP needs none, so its person gets no second message.
    assert.equal(await start(one.codeChallenge, {}), await start(two.codeChallenge, {}))
  })
})
