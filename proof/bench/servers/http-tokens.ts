// The reference: the work of a token verification (hash, read, decryption) in 25 lines on bare node:http, over Ringfence's own store.

import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { open } from '../../../server/src/core/crypto/sealed-text.ts'
import { sqliteFileName } from '../../../server/src/core/storage/sqlite/sqlite.ts'
import { sealingContext, tokenKey, tokenSealingKey } from '../../../server/src/sign-in/tokens/token.ts'
import { givenOptions } from '../harness/processes.ts'
import { serving } from '../harness/servers.ts'

const { dataFolder, tenantId, access } = givenOptions<Record<'dataFolder' | 'tenantId', string> & { access: object }>()
const database = new DatabaseSync(join(dataFolder, sqliteFileName), { readOnly: true })
database.exec('pragma mmap_size = 2147418112')
const find = database.prepare(
  'select expires_at, revoked_at, sealed_login from token where shard = ? and bucket = ? and hash = ? and tenant_id = ?',
)
const secretHash = (id: unknown, secret: unknown) => hash('sha256', `${id}\n${secret}`, 'base64')
const [id, secret] = Object.values(access)
const known = secretHash(id, secret)

const server = createServer((request, response) => {
  const { clientid, clientsecret } = request.headers
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    if (secretHash(clientid, clientsecret) !== known) return response.writeHead(401).end()
    const { token } = JSON.parse(body) as { token: string }
    const key = tokenKey(token, Date.now())
    const found = key && find.get(key.shard, key.bucket, key.hash, tenantId)
    if (!found || found.revoked_at !== null || Number(found.expires_at) < Date.now())
      return response.writeHead(400).end()
    const login = open(tokenSealingKey(token), found.sealed_login as Uint8Array, sealingContext(tenantId, 'login'))
    const answer = `{"token":"${token}",${login.toString().slice(1)}`
    const type = 'application/json; charset=utf-8'
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(answer) }).end(answer)
  })
})
server.listen(0, '127.0.0.1', () => serving(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
