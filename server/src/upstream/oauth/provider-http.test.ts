import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { providerFailure } from '../../sign-in/authentication/channels/identity-providers/provider-failure.ts'
import { providerHttp } from './provider-http.ts'

const limits = { timeoutMs: 30_000, connectTimeoutMs: 30_000 }

const bomb = gzipSync(`{"keys":[${' '.repeat(20_000_000)}]}`)

for (const [what, encoding, body] of [
  ['is compressed', 'gzip', bomb],
  ['is compressed twice', 'gzip, gzip', gzipSync(bomb)],
  ['is larger than a key set is', undefined, Buffer.alloc(300_000, ' ')],
] as const)
  test(`an answer of a provider that ${what} is not read`, async (t) => {
    const asked: unknown[] = []
    const server = createServer((request, response) => {
      asked.push(request.headers['accept-encoding'])
      response.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding })
      response.end(body)
    }).listen(0, '127.0.0.1')
    const http = providerHttp(limits)
    t.after(async () => {
      await http.close()
      server.close()
    })
    await new Promise((listening) => server.once('listening', listening))
    const fetch = http.until(AbortSignal.timeout(60_000))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
    const reading = async () => (await fetch(url, { headers: { accept: 'application/json' } })).text()
    await assert.rejects(reading, (error) => providerFailure(error).reason === 'format')
    assert.deepEqual(asked, ['identity'])
  })
