import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type BuiltConsole, largestFirstLoadBytes } from '../../../../console/build.ts'
import built from '../../../../console/dist/console.json' with { type: 'json' }
import { sqliteDatabases } from '../../testing/databases.ts'
import { exchangeRaw } from '../../testing/raw-http.ts'
import { startTestService } from '../../testing/test-service.ts'

const { assets, firstLoad, firstLoadGzipBytes }: BuiltConsole = built

async function started(t: TestContext): Promise<string> {
  return (await startTestService(t, await sqliteDatabases.open(t))).url
}

test('serves the same page for every view, and it is checked for a new version each time', async (t) => {
  const url = await started(t)
  const pages = await Promise.all(
    ['', '/live', '/decisions/01a208ff-f430-78ef-9507-d380bbbfbee6', '/lists/blocked-numbers', '/a/b/c'].map((path) =>
      fetch(`${url}/console${path}`),
    ),
  )
  const bodies = new Set(await Promise.all(pages.map((page) => page.text())))
  assert.equal(bodies.size, 1)
  for (const page of pages) {
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(page.headers.get('cache-control'), 'no-cache')
  }
  const etag = pages[0]!.headers.get('etag')!
  const again = await fetch(`${url}/console/live`, { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
})

test('allows scripts and styles only from files of the service, and no frame around it', async (t) => {
  const url = await started(t)
  const page = await fetch(`${url}/console`)
  const policy = Object.fromEntries(
    page.headers
      .get('content-security-policy')!
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
  )
  assert.deepEqual(policy, {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  })
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(page.headers.get('x-frame-options'), 'DENY')
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(page.headers.get('cross-origin-opener-policy'), 'same-origin')
  const html = await page.text()
  assert.doesNotMatch(html, /<style|style=|\son\w+=|<script(?![^>]+src=)/)
})

test('lets browsers cache files permanently, compressed where they accept that', async (t) => {
  const url = await started(t)
  for (const name of firstLoad) {
    const path = `/console/assets/${name}`
    const file = await fetch(url + path)
    assert.equal(file.status, 200, name)
    assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(file.headers.get('content-encoding'), 'gzip')
    assert.equal(file.headers.get('cross-origin-resource-policy'), 'same-origin')
    const plain = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
    assert.equal(plain.headers.get('content-encoding'), null)
    const text = await file.text()
    assert.equal(await plain.text(), text)
    const smallest = await fetch(url + path, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } })
    assert.equal(smallest.headers.get('content-encoding'), name.endsWith('.js') ? 'br' : 'gzip')
    assert.equal(smallest.headers.get('vary'), 'Accept-Encoding')
    assert.equal(await smallest.text(), text)
    const refused = await fetch(url + path, { headers: { 'accept-encoding': 'br;q=0, gzip' } })
    assert.equal(refused.headers.get('content-encoding'), 'gzip')
  }
})

test('has a hash in the name of each file, serves each, and answers 404 for other names', async (t) => {
  const url = await started(t)
  for (const name of assets.filter((each) => !each.endsWith('.gz'))) {
    assert.match(name, /-[\w-]{8}\.(js|css|svg)$/)
    assert.equal((await fetch(`${url}/console/assets/${name}`, { method: 'HEAD' })).status, 200)
  }
  for (const path of [
    '/console/assets/index.js',
    '/console/assets/../console.json',
    '/console/assets/%2e%2e/console.json',
  ]) {
    const raw = await exchangeRaw(url, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    assert.match(raw, /^HTTP\/1\.1 404 /, path)
  }
})

test('loads at most 250 KB gzipped on a first visit', async (t) => {
  const url = await started(t)
  t.diagnostic(`${firstLoadGzipBytes} bytes`)
  assert.ok(firstLoadGzipBytes <= largestFirstLoadBytes)
  let sent = 0
  for (const path of ['', ...firstLoad.map((name) => `/assets/${name}`)]) {
    const raw = await exchangeRaw(
      url,
      `GET /console${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\naccept-encoding: gzip\r\n\r\n`,
    )
    sent += Number(/^content-length: (\d+)/im.exec(raw)?.[1])
  }
  assert.equal(sent, firstLoadGzipBytes)
})
