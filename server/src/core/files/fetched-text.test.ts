import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { atEnd } from '../../testing/at-end.ts'
import { published, publishedText, textWithin } from './fetched-text.ts'

const largestBytes = 1 << 20

async function answering(t: TestContext, body: Uint8Array): Promise<Response> {
  const server = createServer((_, response) => response.setHeader('content-encoding', 'gzip').end(body))
  server.listen(0, '127.0.0.1')
  atEnd(t, () => server.close())
  await once(server, 'listening')
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

test('counts the bytes of a compressed response after decompression', async (t) => {
  const bomb = gzipSync(Buffer.alloc(64 * largestBytes))
  assert.ok(bomb.length < largestBytes)
  await assert.rejects(textWithin(await answering(t, bomb), largestBytes), /it has more than 1048576 bytes/)
  const fitting = 'é'.repeat(largestBytes / 2)
  assert.equal(await textWithin(await answering(t, gzipSync(fitting)), largestBytes), fitting)
})

test('follows redirects over TLS, and to no URL without it', async () => {
  const locations: Record<string, string> = {
    'https://lists.example/a': '/b',
    'https://lists.example/b': 'https://mirror.example/c',
    'https://lists.example/clear': 'http://lists.example/b',
    'https://lists.example/here': 'http://127.0.0.1/b',
    'https://lists.example/file': 'file:///etc/passwd',
    'https://lists.example/endless': '/endless',
    'http://127.0.0.1/a': '/b',
    'http://127.0.0.1/out': 'http://lists.example/b',
  }
  const visited: string[] = []
  const textAt = (url: string, mostRedirects?: number) =>
    publishedText(url, {
      timeoutMs: 1000,
      largestBytes,
      ...(mostRedirects !== undefined && { mostRedirects }),
      async fetch(to, init) {
        assert.equal(init?.redirect, 'manual')
        visited.push(String(to))
        const location = locations[String(to)]
        return location ? new Response(null, { status: 302, headers: { location } }) : new Response(`at ${to}`)
      },
    })
  assert.equal(await textAt('https://lists.example/a'), 'at https://mirror.example/c')
  assert.equal(await textAt('http://127.0.0.1/a'), 'at http://127.0.0.1/b')
  for (const url of ['clear', 'here', 'file']
    .map((path) => `https://lists.example/${path}`)
    .concat('http://127.0.0.1/out'))
    await assert.rejects(textAt(url), /^Error: it redirects to a URL that does not begin with https:/, url)
  await assert.rejects(textAt('https://lists.example/a', 0), /^Error: HTTP 302$/)
  visited.length = 0
  await assert.rejects(textAt('https://lists.example/endless'), /^Error: HTTP 302$/)
  assert.equal(visited.length, 6)
})

test('downloads nothing without TLS, except from this machine', async () => {
  const fetch = async () => assert.fail('was called')
  for (const url of [
    'http://lists.example/tor',
    'http://localhost.evil.example',
    'ftp://lists.example',
    'data:,1.1.1.1',
  ])
    await assert.rejects(published(url, { timeoutMs: 1000, fetch }), /its URL must begin with https:/, url)
})

test('counts the bytes of a file', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ringfence-published-'))
  const path = join(folder.path, 'list')
  const url = pathToFileURL(path).href
  await writeFile(path, 'a'.repeat(largestBytes))
  assert.equal((await publishedText(url, { timeoutMs: 1000, largestBytes })).length, largestBytes)
  await writeFile(path, 'a'.repeat(largestBytes + 1))
  await assert.rejects(publishedText(url, { timeoutMs: 1000, largestBytes }), /it has more than 1048576 bytes/)
})
