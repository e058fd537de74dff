import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminEndpoints, endpoints } from '@ringfence/contract'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'

const { open } = sqliteDatabases
const identities = [
  { identityType: 'MOBILE', identityValue: '917020141726', channel: 'OAUTH', methods: ['X'], verified: true },
]

/** Calls that create what lets somebody in: a field that was ignored could have narrowed it. */
const creating = [
  [endpoints.issueToken, { userId: 'u-1', identities }],
  [adminEndpoints.createClient, { name: 'backend' }],
  [adminEndpoints.rotateClient, { clientId: 'rfc_x' }],
  [adminEndpoints.invite, { role: 'viewer' }],
  [adminEndpoints.resetPerson, { personId: 'p' }],
  [adminEndpoints.addWebhook, { url: 'https://hooks.example/', types: ['*'] }],
  [adminEndpoints.createApp, { name: 'shop' }],
] as const

for (const [{ path, errorFormat, method }, body] of creating) {
  test(`${path} refuses unknown fields by name, before it creates anything`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { clientId, clientSecret } = await service.parts.clients.createClient(service.tenantId, 'console', {
      scopes: 'admin tokens',
      allowedIps: null,
      expiresAt: null,
      role: 'owner',
    })
    const send = (more: object) => {
      const sent = { ...body, ...more }
      const url = service.url + path.replaceAll(/\{(\w+)\}/g, (_, name) => String(Reflect.get(sent, name)))
      const headers = { clientid: clientId, clientsecret: clientSecret, 'content-type': 'application/json' }
      return fetch(url, { method, headers, body: JSON.stringify(sent) })
    }
    for (const field of [
      'allowedIPs',
      'expires_at',
      'unknown',
      '__proto__',
      'rfs_Secret-in-the-wrong-place-1234567890',
    ]) {
      const response = await send(JSON.parse(`{"${field}": ["203.0.113.1"]}`))
      const text = await response.text()
      assert.deepEqual([response.status, text.includes('unknown field')], [400, true], `${field}: ${text}`)
      assert.doesNotMatch(text, /rfs_/)
      const isProblem = response.headers.get('content-type') === 'application/problem+json; charset=utf-8'
      assert.equal(isProblem, errorFormat === 'problem')
    }
    if (path === adminEndpoints.createClient.path)
      assert.match(await (await send({ allowedIPs: [] })).text(), /did you mean \\"allowedIps\\"\?/)
  })
}
