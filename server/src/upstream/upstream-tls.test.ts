import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Guard } from './guard.ts'
import { scriptedUpstream } from './testing/scripted-upstream.ts'
import { selfSignedCertificate } from './testing/self-signed-certificate.ts'
import { testResources } from './testing/test-resources.ts'
import { type LimitSettings, limitsOf } from './upstream-settings.ts'

const server = selfSignedCertificate('operator')
const client = selfSignedCertificate('bank')

/** Calls a server that has a self-signed certificate and requires a client certificate. */
async function call(t: TestContext, tls: NonNullable<LimitSettings['tls']>): Promise<unknown> {
  const { url } = await scriptedUpstream(t, () => ({ body: { fine: true } }), {
    cert: server.certificate,
    key: server.key,
    requestCert: true,
    ca: client.certificate,
  })
  const resources = testResources({
    CA: server.certificate,
    CERTIFICATE: client.certificate,
    KEY: client.key,
    OTHER: client.certificate,
  })
  const guardian = new Guard(
    { upstream: 'acme', service: 'test', baseUrl: new URL(url), ...limitsOf({ tls }, resources.readSecret) },
    resources,
  )
  t.after(() => guardian.close())
  const request = {
    call: 'test',
    method: 'GET',
    path: '/',
    headers: {},
    read: ({ body }: { body: unknown }) => body,
  } as const
  return guardian.send(request, AbortSignal.timeout(30_000))
}

test('tls.ca trusts the configured authority and no other', async (t) => {
  const certificate = { certificate: { env: 'CERTIFICATE' }, privateKey: { env: 'KEY' } }
  assert.deepEqual(await call(t, { ca: { env: 'CA' }, ...certificate }), { fine: true })
  await assert.rejects(call(t, { ca: { env: 'OTHER' }, ...certificate }), /self-signed certificate/)
  await assert.rejects(call(t, certificate), /self-signed certificate/)
})

test('tls.certificate is required by an operator that asks for one', async (t) => {
  await assert.rejects(call(t, { ca: { env: 'CA' } }), { reason: 'unreachable' })
})
