import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase, sqliteDatabases } from '../../../testing/databases.ts'
import { createApp, sdkClient, shopOrigin } from '../../../testing/sdk-client.ts'
import { callbackPath } from '../start-by-redirect.ts'
import { email, pressButton, redirectUrl, startSignInService } from '../testing/sign-in-service.ts'
import { magicLinkPath } from './deliver.ts'

const { open } = sqliteDatabases
const codeOf = async (answer: Response) => ((await answer.json()) as { errorCode: string }).errorCode
const link = { channel: 'MAGIC_LINK', identity: email, redirectUrl }

eachDatabase(({ engine, open }) => {
  test(`a magic link requires one click and leads back with a code that is accepted once (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    const { transactionId } = (await service.start(link)).body
    // A program that scans emails follows the link and does not use it up.
    for (let i = 0; i < 3; i++) assert.equal((await fetch(service.link())).status, 200)
    assert.deepEqual((await service.status(transactionId)).body, { status: 'PENDING' })
    const { page, response } = await pressButton(service.link())
    assert.match(page, /sign in to shop as ada@shop\.example/)
    assert.equal(response.status, 303)
    const back = new URL(response.headers.get('location')!)
    assert.equal(back.origin + back.pathname, `${shopOrigin}/signed-in`)
    assert.deepEqual(
      [back.searchParams.get('from'), back.searchParams.get('ringfence_transaction')],
      ['mail', transactionId],
    )
    // The link is used up. The status has no user, because the person was redirected with a code.
    assert.equal((await pressButton(service.link())).response.status, 400)
    assert.deepEqual((await service.status(transactionId)).body, { status: 'PENDING' })
    const code = back.searchParams.get('ringfence_code')!
    assert.equal((await service.verify(transactionId, { code: `${code}x` })).body.errorCode, '7118')
    const answers = await Promise.all([
      service.verify(transactionId, { code }),
      service.verify(transactionId, { code }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
    const { identities } = answers.find(({ status }) => status === 200)!.body
    assert.deepEqual(
      [identities[0].identityType, identities[0].channel, identities[0].methods],
      ['EMAIL', 'MAGIC_LINK', ['EMAIL']],
    )
  })
})

test('if the app allows it, a link opened on another device signs in the waiting device, once', async (t) => {
  const service = await startSignInService(t, await open(t), { app: { signInElsewhere: true } })
  const { transactionId } = (await service.start({ ...link, redirectUrl: undefined })).body
  const { page, response } = await pressButton(service.link())
  assert.match(page, /on the device that requested this link/)
  assert.equal(response.status, 200)
  const answers = await Promise.all([service.status(transactionId), service.status(transactionId)])
  assert.ok(answers.every(({ body }) => body.status === 'SUCCESS'))
  assert.equal(answers.filter(({ body }) => body.user).length, 1)
})

test('a link leads back only to redirectUrls of the app, character by character, and is refused without one', async (t) => {
  const own = 'com.example.shop:/signed-in'
  const page = 'https://shop.example/signed-in'
  const service = await startSignInService(t, await open(t), { app: { redirectUrls: [own, page] } })
  for (const wrong of [
    undefined,
    'https://evil.example/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://user@shop.example/',
    'http://shop.example/',
    'javascript:alert(1)',
    '//evil.example',
    `${own}/more`,
    'https://shop.example/',
    `${page}/`,
    `${page}/more`,
    `${page}?next=https://evil.example`,
    `${page}?`,
    `${page}#x`,
    `${page}/../signed-in`,
    'https://shop.example:443/signed-in',
    'https://SHOP.example/signed-in',
    'https://shop.example/signed%2din',
    `${page}?ringfence_code=x&next=y`,
    'nonsense',
  ]) {
    const { status, body } = await service.start({ ...link, redirectUrl: wrong })
    assert.deepEqual([status, body.errorCode], [400, '7102'], String(wrong))
  }
  assert.equal(service.parts.signIn.outbox.messages().length, 0)
  assert.equal((await service.start({ ...link, redirectUrl: own })).status, 200)
  const { response } = await pressButton(service.link())
  assert.match(response.headers.get('location')!, /^com\.example\.shop:\/signed-in\?ringfence_transaction=/)
  assert.equal((await service.start({ ...link, redirectUrl: page })).status, 200)
})

test('an app that lists no redirectUrls may use the pages of its origins on localhost, and no others', async (t) => {
  const service = await startSignInService(t, await open(t))
  const origins = ['http://localhost:5173', 'https://shop.example']
  const startOf = async (settings: object, redirectUrl: string) => {
    const app = await createApp(service, { origins, settings: { redirectUrls: [], ...settings } })
    return (await service.start({ ...link, redirectUrl }, await sdkClient(service, { app }))).status
  }
  assert.equal(await startOf({}, 'http://localhost:5173/any?page=1'), 200)
  for (const wrong of [
    'http://localhost:5174/',
    'https://localhost:5173/',
    'https://shop.example/',
    'http://127.0.0.1/',
  ])
    assert.equal(await startOf({}, wrong), 400, wrong)
  assert.equal(await startOf({ redirectUrls: ['http://localhost:5173/one'] }, 'http://localhost:5173/two'), 400)
})

test('the page of an unknown, malformed or expired link says so, and allows no script and no frame', async (t) => {
  const service = await startSignInService(t, await open(t), { settings: { magicLinkLifetimeSeconds: 600 } })
  const { transactionId } = (await service.start(link)).body
  const address = service.link()
  const page = await fetch(address)
  assert.match(
    page.headers.get('content-security-policy')!,
    /form-action 'self' https:\/\/shop\.example; frame-ancestors 'none'$/,
  )
  assert.deepEqual(
    [page.headers.get('cache-control'), page.headers.get('referrer-policy')],
    ['no-store', 'no-referrer'],
  )
  const right = address.searchParams.get('code')!
  const almost = (right.startsWith('A') ? 'B' : 'A') + right.slice(1)
  for (const code of ['', 'x', almost, right.slice(0, -1), '"><script>']) {
    const wrong = new URL(address)
    wrong.searchParams.set('code', code)
    const answer = await fetch(wrong)
    assert.equal(answer.status, 400)
    assert.doesNotMatch(await answer.text(), /<script/)
  }
  service.clock.advance({ seconds: 600 })
  assert.match((await pressButton(address)).page, /has expired/)
  assert.deepEqual((await service.status(transactionId)).body, { status: 'EXPIRED' })
})

test('serves 50 sign-in pages at once per IP address, then returns 429 with Retry-After; other IP addresses continue', async (t) => {
  const settings = { trustedProxies: '127.0.0.1', overloadDelayMs: 60_000 }
  const service = await startSignInService(t, await open(t), { settings })
  const ask = (from: string, path: string = magicLinkPath, init: RequestInit = {}) =>
    fetch(`${service.url}${path}?code=x&state=x`, { ...init, headers: { 'x-forwarded-for': from, ...init.headers } })
  for (let count = 0; count < 50; count++) assert.equal((await ask('198.51.100.7')).status, 400)
  const limited = await ask('198.51.100.7')
  assert.deepEqual([limited.status, await codeOf(limited)], [429, '70429'])
  assert.match(limited.headers.get('retry-after') ?? '', /^[1-5]$/)
  assert.equal(limited.headers.get('ratelimit-policy'), '"address";q=50;w=5')
  assert.equal(
    (await ask('198.51.100.7', `${callbackPath}/google`)).status,
    429,
    'together with the pages of providers',
  )
  assert.equal(
    (await ask('198.51.100.7', magicLinkPath, { method: 'POST' })).status,
    429,
    'before the body is looked at',
  )
  assert.equal((await ask('198.51.100.7', '/health')).status, 200)
  assert.equal((await ask('198.51.100.8')).status, 400)
})

test('the form of the magic link page is refused with 415, then 413, before its body is read, in the auth error format', async (t) => {
  const service = await startSignInService(t, await open(t), { settings: { bodyLimitBytes: 1024 } })
  const form = 'application/x-www-form-urlencoded'
  for (const [type, body, status, errorCode] of [
    ['application/json', '{', 415, '70415'],
    ['text/plain', 'x'.repeat(2000), 415, '70415'],
    [form, 'x'.repeat(2000), 413, '70413'],
  ] as const) {
    const answer = await fetch(service.url + magicLinkPath, { method: 'POST', headers: { 'content-type': type }, body })
    assert.deepEqual([answer.status, await codeOf(answer)], [status, errorCode])
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
})
