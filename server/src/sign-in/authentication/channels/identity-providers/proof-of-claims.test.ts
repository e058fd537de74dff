import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuthoritativeFor, authorityOf } from './authority.ts'
import { type ClaimReading, proofOf } from './proof-of-claims.ts'

const reading: ClaimReading = {
  names: {},
  assumeVerified: [],
  authority: authorityOf({ emailDomains: ['*'], phonePrefixes: ['*'] }),
  source: 'https://accounts.example',
}
const identitiesOf = (claims: object, more: Partial<ClaimReading> = {}) =>
  proofOf([claims as Record<string, unknown>], { ...reading, ...more })?.identities

const email = (identityValue: string, verified = true) => ({ identityType: 'EMAIL', identityValue, verified })
const mobile = (identityValue: string, verified = true) => ({ identityType: 'MOBILE', identityValue, verified })
const subject = (id: string) => ({
  identityType: 'SUBJECT',
  identityValue: `https://accounts.example ${id}`,
  verified: true,
})

test('reads claims with configured names, and claims that the provider always verifies', () => {
  const names = { subject: 'data.id', phoneNumber: 'data.phones.number' }
  const claims = { data: { id: 7, phones: { number: 917020141726 } } }
  assert.deepEqual(identitiesOf(claims, { names, assumeVerified: ['phoneNumber'] }), [mobile('917020141726')])
  assert.deepEqual(identitiesOf(claims, { names }), [subject('7'), mobile('917020141726', false)])
})

test('reads an email address as every other door does', () => {
  for (const [text, address] of [
    ['Ada@Shop.Example', 'ada@shop.example'],
    ['ada@münchen.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@shop.example.', 'ada@shop.example'],
  ] as const) {
    assert.deepEqual(identitiesOf({ sub: 'a', email: text, email_verified: true }), [email(address)])
  }
})

test('the mailbox of another person is no identity, however similar it looks', () => {
  for (const text of ['\u212Aate@shop.example', 'ka\u200bte@shop.example', 'kate@evil', '"kate"@shop.example']) {
    assert.deepEqual(identitiesOf({ sub: 'mallory', email: text, email_verified: true }), [subject('mallory')], text)
  }
  const [other] = identitiesOf({ sub: 'mallory', email: '\uFF4Bate@shop.example', email_verified: true })!
  assert.notEqual(other!.identityValue, 'kate@shop.example')
})

test('accepts true as text, and nothing else as a verification', () => {
  const claims = { sub: 'a', email: 'a@b.example' }
  assert.deepEqual(identitiesOf({ ...claims, email_verified: 'true' }), [email('a@b.example')])
  for (const wrong of [1, 'yes', 'True ', {}, [true], null]) {
    assert.deepEqual(identitiesOf({ ...claims, email_verified: wrong })?.[0], subject('a'))
  }
})

test('reads an address and whether it is verified from one source, never a flag of the other', () => {
  const ofBoth = (idToken: object, userInfo: object) =>
    proofOf([idToken, userInfo] as Record<string, unknown>[], reading)?.identities
  const victim = { email: 'victim@b.example' }
  const own = { sub: 'mallory', email: 'mallory@b.example', email_verified: true }
  assert.deepEqual(ofBoth({ sub: 'mallory', ...victim }, own), [email('mallory@b.example')])
  assert.deepEqual(ofBoth({ sub: 'mallory', email_verified: true }, victim), [
    subject('mallory'),
    email('victim@b.example', false),
  ])
  assert.deepEqual(ofBoth({ sub: 'mallory', ...victim }, { email_verified: true }), [
    subject('mallory'),
    email('victim@b.example', false),
  ])
  assert.deepEqual(ofBoth(own, { ...victim, email_verified: false }), [email('mallory@b.example')])
  const phone = { phone_number: '+917020141726' }
  assert.deepEqual(ofBoth({ ...own, ...phone }, { phone_number_verified: true }), [
    email('mallory@b.example'),
    mobile('917020141726', false),
  ])
  assert.deepEqual(ofBoth({ sub: 'a' }, { ...phone, phone_number_verified: true }), [mobile('917020141726')])
})

test('puts verified identities first', () => {
  const claims = { sub: 'a', email: 'a@b.example', phone_number: '+917020141726', phone_number_verified: true }
  assert.deepEqual(identitiesOf(claims), [mobile('917020141726'), email('a@b.example', false)])
})

test('ignores claims of wrong types, invalid numbers and invalid email addresses; without any identity there is no proof', () => {
  for (const claims of [
    { email: ['a@b.example'], email_verified: true },
    { email: 'a b@c.example', email_verified: true },
    { email: `${'a'.repeat(250)}@b.example`, email_verified: true },
    { email: 'a@b.example\u0000', email_verified: true },
    { email: '\ud800@b.example', email_verified: true },
    { phone_number: '+1 604 555 1234;ext=5678', phone_number_verified: true },
    { phone_number: '7020141726000000', phone_number_verified: true },
    { sub: '' },
    { sub: {} },
    JSON.parse('{"__proto__": {"sub": "a", "email": "a@b.example", "email_verified": true}}'),
    {},
  ]) {
    assert.equal(identitiesOf(claims), undefined, JSON.stringify(claims))
  }
  assert.equal(identitiesOf({}, { names: { subject: 'constructor.name' } }), undefined)
})

test('a verified address of somebody whose id cannot be read is no proof: they may not be its owner of before', () => {
  const verified = { email: 'ada@corp.example', email_verified: true }
  assert.deepEqual(identitiesOf({ ...verified, sub: 'a'.repeat(256) }), [email('ada@corp.example')])
  for (const sub of ['', 'a'.repeat(257), '\ud800', {}, ['a'], true, null, 1.5])
    assert.equal(identitiesOf({ ...verified, sub }), undefined, JSON.stringify(sub))
})

test('two large numbers that JSON makes one of are no ids of persons', () => {
  for (const id of ['9007199254740992', '9007199254740993', '175928847299117063', '1e21'])
    assert.equal(identitiesOf(JSON.parse(`{"sub": ${id}}`)), undefined, id)
  assert.deepEqual(identitiesOf({ sub: Number.MAX_SAFE_INTEGER }), [subject('9007199254740991')])
})

test('puts names into the profile, only if they are text', () => {
  const proof = proofOf(
    [{ sub: 'a', name: 'Asha Rao', given_name: 7, family_name: 'Rao', picture: 'https://x' }],
    reading,
  )
  assert.deepEqual(proof?.profile, { name: 'Asha Rao', family_name: 'Rao' })
})

test('verifies only what the provider is authoritative for, by a flag and by assumeVerified alike', () => {
  const verifiedBy = (authoritativeFor: AuthoritativeFor | undefined, assumeVerified: ClaimReading['assumeVerified']) =>
    identitiesOf(
      {
        sub: 'a',
        email: 'a@shop.example',
        email_verified: true,
        phone_number: '+917020141726',
        phone_number_verified: true,
      },
      { authority: authorityOf(authoritativeFor), assumeVerified },
    )
      ?.filter(({ verified }) => verified)
      .map(({ identityType }) => identityType)
  for (const assumed of [[], ['email', 'phoneNumber']] as const) {
    for (const none of [undefined, {}, { emailDomains: [], phonePrefixes: [] }])
      assert.deepEqual(verifiedBy(none, assumed), ['SUBJECT'])
    assert.deepEqual(verifiedBy({ emailDomains: ['shop.example'], phonePrefixes: ['+91'] }, assumed), [
      'EMAIL',
      'MOBILE',
    ])
    assert.deepEqual(verifiedBy({ emailDomains: ['Shop.EXAMPLE'], phonePrefixes: ['44'] }, assumed), ['EMAIL'])
    for (const other of ['op.example', 'a.shop.example', 'shop.example.org'])
      assert.deepEqual(
        verifiedBy({ emailDomains: [other, 'x.example'], phonePrefixes: ['*'] }, assumed),
        ['MOBILE'],
        other,
      )
  }
})

test('refuses a domain that is none', () => {
  for (const wrong of [
    '@shop.example',
    'a@shop.example',
    '*.shop.example',
    'https://shop.example',
    'shop',
    'shop example',
    '.shop.example',
  ])
    assert.throws(
      () => authorityOf({ emailDomains: [wrong] }),
      /authoritativeFor\.emailDomains has .* write example\.com/,
      wrong,
    )
})
