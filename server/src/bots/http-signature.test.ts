import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignedRequest } from '../core/call.ts'
import { claimedSignature, labelsOf, SignatureRefused, verify } from './http-signature.ts'
import type { AgentKey } from './signature-agents.ts'
import { verifierOf } from './stored-agents.ts'

/** RFC 9421, B.1.4 and B.1.2: `test-key-ed25519` and `test-key-rsa-pss`. */
const ed25519: Pick<AgentKey, 'algorithm' | 'jwk'> = {
  algorithm: 'ed25519',
  jwk: { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' },
}
const rsaPss: Pick<AgentKey, 'algorithm' | 'jwk'> = {
  algorithm: 'rsa-pss-sha512',
  jwk: {
    kty: 'RSA',
    e: 'AQAB',
    n: 'r4tmm3r20Wd_PbqvP1s2-QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct-Lh1GH45x28Rw3Ry53mm-oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHqgDsznjPFmTOtCEcN2Z1FpWgchwuYLPL-Wokqltd11nqqzi-bJ9cvSKADYdUAAN5WUtzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4aOT9v6d-nb4bnNkQVklLQ3fVAvJm-xdDOp9LCNCN48V2pnDOkFV6-U9nV5oyc6XI2w',
  },
}

/** RFC 9421, B.2: `test-request`. */
const rfcRequest: SignedRequest = {
  method: 'POST',
  targetUri: 'https://example.com/foo?param=Value&Pet=dog',
  headers: {
    host: 'example.com',
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-digest':
      'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
    'content-length': '18',
  },
}
const rfcCreated = 1618884473

const rfcVectors = [
  {
    section: 'B.2.1',
    key: rsaPss,
    label: 'sig-b21',
    input: 'sig-b21=();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"',
    signature:
      'sig-b21=:d2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7zFZsckzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLMIQKhO4DGezXehhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q==:',
  },
  {
    section: 'B.2.6',
    key: ed25519,
    label: 'sig-b26',
    input:
      'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    signature: 'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
  },
]

for (const { section, key, label, input, signature } of rfcVectors) {
  test(`verifies the test vector of RFC 9421, ${section}, and no other request`, async () => {
    const verifier = await verifierOf(key)
    const signed = (changes: Partial<SignedRequest> = {}, headers: object = {}) => ({
      ...rfcRequest,
      ...changes,
      headers: { ...rfcRequest.headers, 'signature-input': input, signature, ...headers },
    })
    await verify(signed(), { label }, verifier, rfcCreated)
    const other = { 'signature-input': input.replace('1618884473', '1618884474') }
    await assert.rejects(verify(signed({}, other), { label }, verifier, rfcCreated), SignatureRefused)
    if (section === 'B.2.1') return
    for (const changes of [
      { method: 'PUT' },
      { targetUri: 'https://example.org/foo' },
      { targetUri: 'https://example.com/fo' },
    ]) {
      await assert.rejects(verify(signed(changes), { label }, verifier, rfcCreated), SignatureRefused)
    }
  })
}

const draftInput = (
  label: string,
  components: string,
  keyid: string,
  alg: string,
  nonce: string,
  expires = 4889289600,
) =>
  `${label}=(${components});created=1735689600;keyid="${keyid}";alg="${alg}";expires=${expires};nonce="${nonce}";tag="web-bot-auth"`
const draftCreated = 1735689600
const directory = 'https://signature-agent.test/.well-known/http-message-signatures-directory'
const edKeyid = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'
const rsaKeyid = 'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA'

const draftVectors = [
  {
    title: 'Ed25519, with a member of Signature-Agent',
    key: ed25519,
    headers: {
      'signature-agent': 'agent2="https://signature-agent.test"',
      'signature-input': draftInput(
        'sig2',
        '"@authority" "signature-agent";key="agent2"',
        edKeyid,
        'ed25519',
        'n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==',
      ),
      signature: 'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
    },
  },
  {
    title: 'Ed25519, with a string as Signature-Agent',
    key: ed25519,
    headers: {
      'signature-agent': '"https://signature-agent.test"',
      'signature-input': draftInput(
        'sig2',
        '"@authority" "signature-agent"',
        edKeyid,
        'ed25519',
        'e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==',
        1735693200,
      ),
      signature: 'sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:',
    },
  },
  {
    title: 'RSA-PSS, with a member of Signature-Agent',
    key: rsaPss,
    headers: {
      'signature-agent': 'agent2="https://signature-agent.test"',
      'signature-input': draftInput(
        'sig2',
        '"@authority" "signature-agent";key="agent2"',
        rsaKeyid,
        'rsa-pss-sha512',
        'wcfPQPh7SzkvrIVvhD00vNk9PkxJNY2NVbYl2PVBB4zmUoluSwE7W6bPtF60QA3k8g06FU7PPCD+J58YofY1zg==',
      ),
      signature:
        'sig2=:gHzpLNeHaHIO19NaJH9YMW5dcVSi2s0wOMBr6p18vcofS106sfC4KBIS0/szPlBBd1vIcyQ88B6CTEWIhRAiVrb9zfX0mx1aG12CSGWcYkSirHeyTxhbuJvXd27ed6skWoy4PjXItq38936ivUQjfdIwXh1aX6HxkAC3vRnEdSNfntkLWeEuIQ5BLIOBGE39fSwg27Qjq6OVWYas/9/aFUr3HA34MXWYdp+//cvlEKDp3kRoLOw9ro0AOr6srHrTeEtxon2afcws1aZVSlPdd2fZSEIGmw9HAHLDCEkFTERu1gH2k/zIEqgy7CAYXI9E5slog0cLg/Vc6+f8gih33g==:',
    },
  },
]

for (const { title, key, headers } of draftVectors) {
  test(`verifies the test vector of Web Bot Auth: ${title}`, async () => {
    const verifier = await verifierOf(key)
    const request = { method: 'GET', targetUri: 'https://example.com/path/to/resource', headers }
    assert.deepEqual(labelsOf(request), ['sig2'])
    const claimed = claimedSignature(request, 'sig2')
    assert.equal(claimed.keyid, key === ed25519 ? edKeyid : rsaKeyid)
    assert.equal(claimed.agentUrl, directory)
    await verify(request, claimed, verifier, draftCreated)
    const rejects = (changed: SignedRequest, now = draftCreated) =>
      assert.rejects(verify(changed, claimed, verifier, now), SignatureRefused)
    await rejects({ ...request, targetUri: 'https://shop.example/path/to/resource' })
    const agent = headers['signature-agent'].replace('signature-agent.test', 'other-agent.test')
    await rejects({ ...request, headers: { ...headers, 'signature-agent': agent } })
    await rejects(request, draftCreated - 61)
    await rejects(request, draftCreated + 86_461)
    await assert.rejects(
      verify(request, claimed, await verifierOf(key === ed25519 ? rsaPss : ed25519), draftCreated),
      SignatureRefused,
    )
  })
}

test('refuses a signature without what Web Bot Auth requires', () => {
  const input = (components: string, rest: string) => ({ headers: { 'signature-input': `s=(${components});${rest}` } })
  const complete = 'created=1;expires=2;keyid="k";tag="web-bot-auth"'
  assert.equal(claimedSignature(input('"@authority"', complete), 's').keyid, 'k')
  assert.equal(claimedSignature(input('"@target-uri"', complete), 's').agentUrl, undefined)
  for (const [components, rest, because] of [
    ['"@method"', complete, /neither @authority nor @target-uri/],
    ['"@authority"', complete.replace('created=1;', ''), /created and expires/],
    ['"@authority"', complete.replace('expires=2', 'expires=?1'), /created and expires/],
    ['"@authority"', complete.replace('keyid="k";', ''), /no keyid/],
  ] as const) {
    assert.throws(() => claimedSignature(input(components, rest), 's'), because)
  }
})

test('reads only supported URLs in Signature-Agent, and only members that the signature covers', () => {
  const claimed = (agent: string, components = '"@authority" "signature-agent";key="s"') =>
    claimedSignature(
      {
        headers: {
          'signature-input': `s=(${components});created=1;expires=2;keyid="k";tag="web-bot-auth"`,
          'signature-agent': agent,
        },
      },
      's',
    ).agentUrl
  assert.equal(
    claimed('s="https://Agent.example/"'),
    'https://agent.example/.well-known/http-message-signatures-directory',
  )
  assert.equal(claimed('s="https://agent.example/keys?a=1#b";type=jwks_uri'), 'https://agent.example/keys')
  for (const agent of [
    's="http://agent.example"',
    's="https://agent.example/path"',
    's="https://user:pw@agent.example"',
    's="https://agent.example/card";type=cimd',
    's="javascript:alert(1)";type=jwks_uri',
    's=?1',
    's=("https://agent.example")',
    'other="https://agent.example"',
    '(((',
  ]) {
    assert.throws(() => claimed(agent), SignatureRefused, agent)
  }
})

test('finds no signature without the tag, at most three with it, and refuses malformed and long headers', () => {
  const labels = (input: string | undefined) =>
    labelsOf({ headers: input === undefined ? {} : { 'signature-input': input } })
  assert.deepEqual(labels(undefined), [])
  assert.deepEqual(labels('a=("@authority");created=1;keyid="web-bot-auth"'), [])
  assert.deepEqual(labels('a=("@authority");tag="web-bot-auth", b=();tag="other", c=();tag="web-bot-auth"'), ['a', 'c'])
  const many = Array.from({ length: 9 }, (_, i) => `s${i}=();tag="web-bot-auth"`).join(', ')
  assert.equal(labels(many).length, 3)
  assert.throws(() => labels('a=(((;tag="web-bot-auth"'), SignatureRefused)
  assert.throws(() => labels(`a=("${'x'.repeat(5000)}");tag="web-bot-auth"`), /more than 4096 characters/)
})
