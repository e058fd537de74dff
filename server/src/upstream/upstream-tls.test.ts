import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testResources } from '../telecom/connectors/testing/connector-resources.ts'
import { guard } from './guard.ts'
import { scriptedUpstream } from './testing/scripted-upstream.ts'
import { selfSignedCertificate } from './testing/self-signed-certificate.ts'
import { type LimitSettings, limitsOf } from './upstream-settings.ts'

const server = selfSignedCertificate('operator')
const client = selfSignedCertificate('bank')

/** Asks a server with a certificate of its own authority, which wants one of ours. */
async function ask(t: TestContext, tls: NonNullable<LimitSettings['tls']>): Promise<unknown> {
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
  const guardian = guard(
    { upstream: 'acme', service: 'test', baseUrl: new URL(url), ...limitsOf({ tls }, resources.readSecret) },
    resources,
  )
  t.after(() => guardian.close())
  const question = {
    call: 'test',
    method: 'GET',
    path: '/',
    headers: {},
    read: ({ body }: { body: unknown }) => body,
  } as const
  return guardian.ask(question, AbortSignal.timeout(2_000))
}

test('tls.ca: an authority of the operator’s own is trusted, and no other', async (t) => {
  const certificate = { certificate: { env: 'CERTIFICATE' }, privateKey: { env: 'KEY' } }
  assert.deepEqual(await ask(t, { ca: { env: 'CA' }, ...certificate }), { fine: true })
  await assert.rejects(ask(t, { ca: { env: 'OTHER' }, ...certificate }), /self-signed certificate/)
  await assert.rejects(ask(t, certificate), /self-signed certificate/)
})

test('tls.certificate: shown to an operator that asks for one', async (t) => {
  await assert.rejects(ask(t, { ca: { env: 'CA' } }), { reason: 'unreachable' })
})
