// Does a backend that is written as the reference says sign in only the browser that started?

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import {
  appUrl,
  backFromLink,
  type Scene,
  scene,
} from '@ringfence/server/sign-in/authentication/testing/return-urls.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { newCodeVerifier, Ringfence, RingfenceError } from './index.ts'

interface Session {
  codeVerifier?: string | undefined
}

interface Backend {
  challengeFor(session: Session): string
  tokenOf(url: URL, session: Session, ringfence: Ringfence): Promise<string>
}

const root = join(import.meta.dirname, '../..')

/** The code of docs/reference/sign-in.md, as a file of a backend that imports this client. */
async function backendOfReference(t: TestContext): Promise<Backend> {
  const page = await readFile(join(root, 'docs/reference/sign-in.md'), 'utf8')
  const [, code = ''] = /^```ts\n(import .*? from '@ringfence\/node'\n.*?)^```/ms.exec(page) ?? []
  const client = pathToFileURL(join(import.meta.dirname, 'index.ts')).href
  await mkdir(join(root, '.build'), { recursive: true })
  const folder = await mkdtemp(join(root, '.build/backend-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'backend.ts'), code.replace("'@ringfence/node'", JSON.stringify(client)))
  return import(pathToFileURL(join(folder, 'backend.ts')).href) as Promise<Backend>
}

async function returned(place: Scene, name: string, codeChallenge: string | undefined) {
  const identity = { type: 'EMAIL', value: `${name}@shop.example` }
  const start = { channel: 'MAGIC_LINK', identity, redirectUrl: appUrl, codeChallenge }
  const { body } = await place.start(start, await place.session())
  const location = new URL((await backFromLink(place)).headers.get('location')!)
  return { location, transactionId: body.transactionId as string }
}

const clientOf = ({ url, credentials }: Scene) => new Ringfence({ baseUrl: url, ...credentials })
const isRefused = (error: unknown) => error instanceof RingfenceError && error.code === 'invalid_code'

test('the backend of the reference signs in the browser that started, and nobody by the link of somebody else', async (t) => {
  const backend = await backendOfReference(t)
  const place = await scene(t, sqliteDatabases.open)
  const ringfence = clientOf(place)
  const attacker: Session = {}
  const lure = await returned(place, 'mallory', backend.challengeFor(attacker))
  const noneStarted: Session = {}
  const started: Session = {}
  const own = await returned(place, 'ada', backend.challengeFor(started))
  for (const victim of [noneStarted, started]) {
    await assert.rejects(backend.tokenOf(lure.location, victim, ringfence), isRefused)
  }
  await assert.rejects(backend.tokenOf(own.location, attacker, ringfence), isRefused)
  const token = await backend.tokenOf(own.location, started, ringfence)
  const { identities } = await ringfence.validateToken({ token })
  assert.equal(identities[0]?.identityValue, 'ada@shop.example')
  await assert.rejects(backend.tokenOf(own.location, started, ringfence), isRefused)
})

test('a code of a start without a challenge needs the transaction that the session stored, and is not used up by another', async (t) => {
  const place = await scene(t, sqliteDatabases.open)
  const ringfence = clientOf(place)
  const lure = await returned(place, 'mallory', undefined)
  const own = await returned(place, 'ada', undefined)
  const code = lure.location.searchParams.get('ringfence_code')!
  for (const transactionId of [undefined, '', own.transactionId]) {
    await assert.rejects(ringfence.exchangeCode({ code, transactionId }), isRefused)
  }
  const { codeVerifier } = newCodeVerifier()
  await assert.rejects(ringfence.exchangeCode({ code, codeVerifier }), isRefused)
  const { id_token, token_type } = await ringfence.exchangeCode({ code, transactionId: lure.transactionId })
  assert.deepEqual([id_token.split('.').length, token_type], [3, 'Bearer'])
})

test('without what the session stored, no code is sent', async () => {
  const fetch = () => assert.fail('sent')
  const ringfence = new Ringfence({ baseUrl: 'http://ringfence.test', clientId: 'c', clientSecret: 's', fetch })
  const { codeVerifier } = newCodeVerifier()
  for (const request of [
    { code: 'x', codeVerifier: undefined },
    { code: 'x', transactionId: undefined },
    { code: 'x', transactionId: '' },
    { code: '', codeVerifier },
    { code: 'x' } as unknown as { code: string; codeVerifier: string },
  ]) {
    await assert.rejects(ringfence.exchangeCode(request), isRefused)
  }
})
