// The baseline: token verification in 25 lines on Fastify, over Ringfence's own store. No ids, rate limit, metrics, log or checks.

import { hash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
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
const server = Fastify({ logger: false })
server.post<{ Body: { token: string } }>('/auth/v1/validate/token', (request, reply) => {
  const { clientid, clientsecret } = request.headers
  if (secretHash(clientid, clientsecret) !== known) return reply.status(401).send()
  const { token } = request.body
  const key = tokenKey(token, Date.now())
  const found = key && find.get(key.shard, key.bucket, key.hash, tenantId)
  if (!found || found.revoked_at !== null || Number(found.expires_at) < Date.now()) return reply.status(400).send()
  const login = open(tokenSealingKey(token), found.sealed_login as Uint8Array, sealingContext(tenantId, 'login'))
  reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(`{"token":"${token}",${login.toString().slice(1)}`)
})
serving(await server.listen({ port: 0 }), {})
