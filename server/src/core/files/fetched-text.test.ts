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
import { publishedText, textWithin } from './fetched-text.ts'

const largestBytes = 1 << 20

async function answering(t: TestContext, body: Uint8Array): Promise<Response> {
  const server = createServer((_, response) => response.setHeader('content-encoding', 'gzip').end(body))
  server.listen(0, '127.0.0.1')
  t.after(() => server.close())
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

test('counts the bytes of a file', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ringfence-published-'))
  const path = join(folder.path, 'list')
  const url = pathToFileURL(path).href
  await writeFile(path, 'a'.repeat(largestBytes))
  assert.equal((await publishedText(url, { timeoutMs: 1000, largestBytes })).length, largestBytes)
  await writeFile(path, 'a'.repeat(largestBytes + 1))
  await assert.rejects(publishedText(url, { timeoutMs: 1000, largestBytes }), /it has more than 1048576 bytes/)
})
