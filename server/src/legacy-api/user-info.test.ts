import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSamples } from '@ringfence/contract'
import { identity, tokenCalls } from '../sign-in/tokens/testing.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { startTestService, type TestAnswer, type TestService } from '../testing/test-service.ts'

const path = '/auth/userInfo'
const samples = readSamples()
const email = {
  ...identity,
  identityType: 'EMAIL',
  identityValue: 'asha@example.com',
  channel: 'OAUTH',
  methods: ['GOOGLE'],
}

async function askByForm(
  { url, credentials }: Pick<TestService, 'url' | 'credentials'>,
  fields: Record<string, string>,
): Promise<TestAnswer> {
  const body = new URLSearchParams({
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
    ...fields,
  })
  const response = await fetch(url + path, { method: 'POST', body })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

eachDatabase(({ engine, open }) => {
  test(`userInfo accepts a form, and returns the user in the legacy format without unknown fields (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const calls = tokenCalls(service)
    const { status, body, headers } = await askByForm(service, {
      token: await calls.issue({ userId: 'u', identities: [identity, email] }),
    })
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(body, {
      phone_number: '+917020141726',
      country_code: '+91',
      national_phone_number: '7020141726',
      email: 'asha@example.com',
      email_verified: true,
      auth_time: String(service.clock.now() / 1000),
      authentication_details: {
        phone: { mode: 'SMS', phone_number: '7020141726', country_code: '+91', auth_state: 'verified' },
        email: { mode: 'GOOGLE', email: 'asha@example.com', auth_state: 'verified' },
      },
    })
  })

  test(`userInfo refuses with 400 token is expired, the 7114 object, or 401 Invalid secrets (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const token = await tokenCalls(service).issue()
    const tenant = await service.parts.tenantKeyring.createTenant('other')
    const foreign = await service.parts.clients.createClient(tenant.id, 'other')
    const invalid = { status: 400, body: samples.LegacyErrorBody?.['token-invalid'] }
    const pick = ({ status, body }: { status: number; body: unknown }) => ({ status, body })
    assert.deepEqual(pick(await askByForm({ ...service, credentials: foreign }, { token })), invalid)
    assert.deepEqual(pick(await askByForm(service, { token: token.slice(0, -1) })), invalid)
    assert.deepEqual(pick(await askByForm(service, {})), invalid)
    const wrong = { status: 401, body: { message: 'Invalid secrets' } }
    assert.deepEqual(pick(await askByForm(service, { token, client_secret: 'rfs_wrong' })), wrong)
    assert.deepEqual(pick(await askByForm(service, { token, client_id: '' })), wrong)
    service.clock.advance({ seconds: 301 })
    assert.deepEqual(pick(await askByForm(service, { token })), { status: 400, body: { message: 'token is expired' } })
  })
})

test('userInfo refuses a token without a login with 7114', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { token } = await tokenCalls(service).issueDirectly({ device: {} })
  assert.equal((await askByForm(service, { token })).body.errorCode, '7114')
})

test('with TOKEN_USES=once, userInfo counts as a use of token verification', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t), { settings: { tokenUses: 'once' } })
  const calls = tokenCalls(service)
  const token = await calls.issue()
  assert.equal((await askByForm(service, { token })).status, 200)
  assert.equal((await calls.validate(token)).body.errorCode, '7114')
  assert.equal((await calls.secureInfo(token)).status, 200)
})

test('marks an identity that is not verified as unverified, and returns an invalid number as it is', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { verifiedAt: _, ...unverified } = { ...identity, identityValue: '99912345678', verified: false }
  const token = await tokenCalls(service).issue({ userId: 'u', identities: [unverified] })
  const { authentication_details, phone_number } = (await askByForm(service, { token })).body
  assert.equal(phone_number, '+99912345678')
  assert.deepEqual(authentication_details.phone, {
    mode: 'SMS',
    phone_number: '99912345678',
    country_code: '',
    auth_state: 'unverified',
  })
})
