import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseSubject } from '../../admin/privacy/erase.ts'
import type { Ending } from '../../testing/at-end.ts'
import { eachDatabase, type TestDatabases } from '../../testing/databases.ts'
import { sdkClient, shopReturnUrls } from '../../testing/sdk-client.ts'
import type { TestAnswer } from '../../testing/test-service.ts'
import { testBrowser } from './testing/browser.ts'
import { type IdentityProvider, startIdentityProvider } from './testing/identity-provider.ts'
import { outboxChannels, startSignInService } from './testing/sign-in-service.ts'

const authUrl = 'https://login.shop.example'
const callbackUrl = `${authUrl}/auth/v1/oauth/callback`
const ada = 'ada@corp.example'
const number = '917020141726'

interface Scene {
  /** Answers a person's sign-in with an identity provider. `claims` without `sub` are verified. */
  by(method: 'CORP' | 'OTHER', sub: string, claims: object): Promise<TestAnswer['body']>
  byOtp(value?: string): Promise<TestAnswer['body']>
  erase(): Promise<unknown>
}

/** CORP is authoritative for corp.example and numbers of India; OTHER for nothing; both say that they verified everything. */
async function scene(t: Ending, open: TestDatabases['open']): Promise<Scene> {
  const providers = {
    CORP: await startIdentityProvider(t, [`${callbackUrl}/corp`]),
    OTHER: await startIdentityProvider(t, [`${callbackUrl}/other`]),
  }
  const channelOf = (method: 'CORP' | 'OTHER', more: object = {}) => {
    const { issuer, clientId } = providers[method]
    return {
      type: 'oidc',
      method,
      issuer,
      clientId,
      clientSecret: { env: 'SANDBOX_SECRET' },
      scopes: ['email', 'phone'],
      ...more,
    }
  }
  const authoritativeFor = {
    emailDomains: ['corp.example', 'bücher.example', 'münchen.example', 'shop.example'],
    phonePrefixes: ['91'],
  }
  const channels = {
    ...outboxChannels,
    corp: channelOf('CORP', { authoritativeFor }),
    other: channelOf('OTHER', { assumeVerified: [] }),
  }
  const service = await startSignInService(t, await open(t), { channels, settings: { authUrl } })
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  const client = () => sdkClient(service, { app: service.app })
  return {
    async by(method, sub, claims) {
      const provider: IdentityProvider = providers[method]
      provider.person = { email_verified: true, phone_number_verified: true, ...claims, sub }
      const start = { channel: 'OAUTH', method, identity: undefined, redirectUrl: shopReturnUrls[1] }
      const { body } = await service.start(start, await client())
      assert.ok(body.authorizationUrl, JSON.stringify(body))
      const back = await testBrowser().follow(body.authorizationUrl, callbackUrl)
      const response = await testBrowser().open(service.url + back.pathname + back.search)
      const code = new URL(response.headers.get('location')!).searchParams.get('ringfence_code')
      const verified = await service.verify(body.transactionId, { code }, await client())
      assert.equal(verified.status, 200, JSON.stringify(verified.body))
      return verified.body
    },
    async byOtp(value = ada) {
      const identity = { type: value.includes('@') ? 'EMAIL' : 'MOBILE', value }
      const { body } = await service.start({ identity }, await client())
      const verified = await service.verify(body.transactionId, { otp: service.otp() }, await client())
      assert.equal(verified.status, 200, JSON.stringify(verified.body))
      service.clock.advance({ ms: 120_000 })
      return verified.body
    },
    erase: () =>
      eraseSubject(
        {
          tenantId: service.tenantId,
          subject: { kind: 'email', value: ada },
          by: 'test',
          reason: 'asked',
          keepListEntries: false,
        },
        service.parts,
      ),
  }
}

const shown = ({ identities }: TestAnswer['body']) =>
  identities.map(({ identityType, verified }: Record<string, unknown>) => [identityType, verified])

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('a provider that is authoritative for nothing reaches no user of an address or number'), async (t) => {
    const { by, byOtp } = await scene(t, open)
    const owners = [await byOtp(), await byOtp(number), await by('CORP', 'c-1', { email: 'eve@corp.example' })]
    const reached = [
      await by('OTHER', 'mallory', { email: ada }),
      await by('OTHER', 'mallory-2', { phone_number: `+${number}` }),
      await by('OTHER', 'mallory-3', { email: 'eve@corp.example', phone_number: `+${number}` }),
    ]
    assert.deepEqual(reached.slice(0, 2).map(shown), [
      [
        ['SUBJECT', true],
        ['EMAIL', false],
      ],
      [
        ['SUBJECT', true],
        ['MOBILE', false],
      ],
    ])
    const users = [...owners, ...reached].map(({ userId }) => userId)
    assert.equal(new Set(users).size, users.length)
    assert.equal((await by('OTHER', 'mallory', { email: ada })).userId, reached[0]!.userId, 'but its own person')
  })

  test(it('an authoritative provider reaches only the domains and numbers that the operator named'), async (t) => {
    const { by, byOtp } = await scene(t, open)
    const owner = await byOtp()
    assert.equal((await by('CORP', 'ada', { email: 'Ada@CORP.example' })).userId, owner.userId)
    const abroad = '393331234567'
    const foreign = ['bob@other.example', 'bob@sub.corp.example', 'bob@corp.example.evil.example', abroad]
    for (const [i, value] of foreign.entries()) {
      const other = await byOtp(value)
      const claims = value === abroad ? { phone_number: `+${value}` } : { email: value }
      const claimed = await by('CORP', `bob-${i}`, claims)
      assert.notEqual(claimed.userId, other.userId, value)
      assert.equal(shown(claimed)[1][1], false, value)
    }
    assert.deepEqual(shown(await by('CORP', 'c', { email: 'cleo@xn--bcher-kva.example' })), [['EMAIL', true]])
    assert.equal(
      (await by('CORP', 'n', { phone_number: `+${number}` })).userId,
      (await byOtp(number)).userId,
      'a number of its range',
    )
  })

  test(it('a provider and an OTP find one user of an address, however its domain is written'), async (t) => {
    const { by, byOtp } = await scene(t, open)
    const { userId } = await byOtp('ada@münchen.example')
    assert.equal((await by('CORP', 'ada', { email: 'ada@münchen.example' })).userId, userId)
    assert.equal((await byOtp('ADA@XN--mnchen-3ya.example')).userId, userId)
  })

  test(it('an address with a letter that only looks like another one reaches no user'), async (t) => {
    const { by, byOtp } = await scene(t, open)
    const kate = await byOtp('kate@shop.example')
    for (const [i, email] of [
      '\u212Aate@shop.example',
      '\uFF4Bate@shop.example',
      'k\u200bate@shop.example',
    ].entries()) {
      const claimed = await by('CORP', `not-kate-${i}`, { email })
      assert.notEqual(claimed.userId, kate.userId, email)
      assert.ok(!JSON.stringify(claimed.identities).includes('kate@'), JSON.stringify(claimed.identities))
    }
    assert.equal((await by('CORP', 'kate', { email: 'KATE@shop.example' })).userId, kate.userId)
  })

  test(it('an unproven address that a stranger brought first is not joined by its owner later'), async (t) => {
    const { by, byOtp } = await scene(t, open)
    const stranger = await by('OTHER', 'mallory', { email: ada })
    const owner = await byOtp()
    assert.notEqual(owner.userId, stranger.userId)
    assert.equal((await by('CORP', 'ada', { email: ada })).userId, owner.userId)
    assert.equal((await by('OTHER', 'mallory', { email: ada })).userId, stranger.userId)
  })

  test(it('whoever inherits a mailbox at a provider is a new user, and the address goes with them'), async (t) => {
    const { by, byOtp } = await scene(t, open)
    const before = await byOtp()
    assert.equal((await by('CORP', 'ada-1', { email: ada })).userId, before.userId)
    const heir = await by('CORP', 'ada-2', { email: ada })
    assert.notEqual(heir.userId, before.userId)
    assert.equal((await byOtp()).userId, heir.userId, 'the mailbox is theirs now')
    assert.equal((await by('CORP', 'ada-2', { email: ada })).userId, heir.userId)
    const moved = await by('CORP', 'ada-1', { email: 'ada.before@corp.example' })
    assert.equal(moved.userId, before.userId, 'the account of before stays with its person')
  })

  test(
    it('a person whose address at the provider changes stays the same user, and the old address is free'),
    async (t) => {
      const { by, byOtp } = await scene(t, open)
      const person = await by('CORP', 'ada', { email: ada, phone_number: `+${number}` })
      const renamed = await by('CORP', 'ada', { email: 'ada.byron@corp.example' })
      assert.equal(renamed.userId, person.userId)
      assert.notEqual((await byOtp()).userId, person.userId, 'the old address')
      assert.equal((await byOtp('ada.byron@corp.example')).userId, person.userId, 'the new address')
      assert.equal((await byOtp(number)).userId, person.userId, 'claims without a number say nothing about it')
      await by('CORP', 'ada', { email: 'third@corp.example' })
      assert.equal(
        (await byOtp('ada.byron@corp.example')).userId,
        person.userId,
        'they proved this address by a code too',
      )
    },
  )

  test(it('a known person never takes an address from a user of a code or another provider'), async (t) => {
    const { by, byOtp } = await scene(t, open)
    const owner = await byOtp()
    const other = await by('CORP', 'bob', { email: 'bob@corp.example' })
    assert.equal((await by('CORP', 'bob', { email: ada })).userId, other.userId)
    assert.equal((await byOtp()).userId, owner.userId)
  })

  test(it('a user of an address is erased by it, with the account at the provider'), async (t) => {
    const { by, erase } = await scene(t, open)
    const person = await by('CORP', 'ada', { email: ada, name: 'Ada' })
    await erase()
    assert.notEqual((await by('CORP', 'ada', { email: ada })).userId, person.userId)
  })
})
