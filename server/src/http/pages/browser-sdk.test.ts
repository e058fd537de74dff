import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { type BrowserScript, largestGzipBytes } from '../../../../scripts/build-browser-sdk.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { exchangeRaw } from '../../testing/raw-http.ts'
import { startTestService } from '../../testing/test-service.ts'

async function started(t: TestContext) {
  const { url } = await startTestService(t, await sqliteDatabases.open(t))
  const script = (await (await fetch(`${url}/sdk/browser.json`)).json()) as BrowserScript
  return { url, script }
}

test('serves a browser SDK of at most 16 KB gzipped', async (t) => {
  const { url, script } = await started(t)
  t.diagnostic(`${script.file}: ${script.bytes} bytes, ${script.gzipBytes} gzipped`)
  const raw = await exchangeRaw(
    url,
    `GET /sdk/browser.js HTTP/1.1\r\nhost: x\r\nconnection: close\r\naccept-encoding: gzip\r\n\r\n`,
  )
  const sent = Number(/^content-length: (\d+)/im.exec(raw)?.[1])
  assert.equal(sent, script.gzipBytes)
  assert.ok(sent <= largestGzipBytes, `${sent} bytes`)
})

test('serves the same script under both URLs, with the hash of /sdk/browser.json', async (t) => {
  const { url, script } = await started(t)
  for (const path of ['/sdk/browser.js', `/sdk/${script.file}`]) {
    const answer = await fetch(url + path)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const digest = createHash('sha384')
      .update(await answer.bytes())
      .digest('base64')
    assert.equal(`sha384-${digest}`, script.integrity)
  }
})

test('lets browsers cache /sdk/browser.js for minutes, and the URL with the hash permanently', async (t) => {
  const { url, script } = await started(t)
  const newest = await fetch(`${url}/sdk/browser.js`)
  assert.equal(newest.headers.get('cache-control'), 'public, max-age=300, must-revalidate')
  const etag = newest.headers.get('etag') as string
  const again = await fetch(`${url}/sdk/browser.js`, { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, await again.text()], [304, ''])
  const other = await fetch(`${url}/sdk/browser.js`, { headers: { 'if-none-match': '"other"' } })
  assert.equal(other.status, 200)
  const twin = await fetch(`${url}/sdk/${script.file}`)
  assert.equal(twin.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal((await fetch(`${url}/sdk/${script.file.replace(/.{6}\.js$/, '000000.js')}`)).status, 404)
})

test('sends the script uncompressed to clients that do not accept gzip', async (t) => {
  const { url, script } = await started(t)
  for (const [accepted, isZipped] of [
    ['gzip, br', true],
    ['identity', false],
    ['gzip;q=0', false],
    ['gzip;q=0.5', true],
  ] as const) {
    const answer = await fetch(`${url}/sdk/browser.js`, { headers: { 'accept-encoding': accepted } })
    assert.equal(answer.headers.get('content-encoding'), isZipped ? 'gzip' : null, accepted)
    assert.equal(answer.headers.get('vary'), 'Accept-Encoding')
    assert.equal((await answer.bytes()).length, script.bytes)
  }
})
