import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type SignatureAgents, wellKnownDirectory } from '../core/config/bot-settings.ts'
import { startPublisher } from '../ip/testing/publisher.ts'
import { signatureAgentFile } from './signature-agents.ts'
import { readStoredAgents } from './stored-agents.ts'
import { signingAgent } from './testing/signing-agent.ts'
import { keysOf, updateSignatureAgents } from './update-signature-agents.ts'

const day = 86_400_000
const now = Date.UTC(2026, 10, 23)
const agent = { name: 'Example-Agent', operator: 'Example', category: 'aiAgent' } as const
const url = `https://agent.example${wellKnownDirectory}`

async function start(t: TestContext) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-agents-'))
  t.after(() => rm(dataFolder, { recursive: true }))
  const publisher = await startPublisher(t)
  return {
    dataFolder,
    publisher,
    answer(body: unknown, status = 200) {
      publisher.answers[wellKnownDirectory] = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
    },
    update: (at = now, agents: SignatureAgents = { example: { ...agent, url } }) =>
      updateSignatureAgents({
        dataFolder,
        agents,
        now: at,
        // The publisher has no certificate, so its paths stand for those of the agent.
        fetch: (to, init) => fetch(publisher.url + new URL(String(to)).pathname, init),
      }),
    stored: async () => (await readStoredAgents(signatureAgentFile(dataFolder)))[0],
  }
}

test('fetches the keys of a directory, and calculates their ids', async (t) => {
  const { answer, update, stored } = await start(t)
  const { jwk, keyid } = await signingAgent()
  answer({ keys: [{ ...jwk, kid: 'another id', nbf: 1, exp: 2 }] })
  assert.deepEqual(await update(), [{ name: 'example', outcome: 'updated', entries: 1 }])
  const { kty, crv, x } = jwk
  assert.deepEqual(await stored(), {
    id: 'example',
    ...agent,
    url,
    datedMs: now,
    keys: [{ keyid, algorithm: 'ed25519', jwk: { kty, crv, x }, nbf: 1, exp: 2 }],
  })
  answer(jwk)
  assert.equal((await update())[0]?.entries, 1, 'a single key without a set')
})

test('continues with the previous keys when a directory fails, for seven days', async (t) => {
  const { answer, update, stored } = await start(t)
  const { jwk, keyid } = await signingAgent()
  const keyids = async () => (await stored())?.keys.map((key) => key.keyid)
  answer('', 503)
  assert.deepEqual(await update(), [{ name: 'example', outcome: 'missing', entries: 0, reason: 'HTTP 503' }])
  answer({ keys: [jwk] })
  await update()
  for (const [body, status, reason] of [
    ['', 503, /HTTP 503/],
    ['', 302, /HTTP 302/],
    ['<html>', 200, /not valid JSON/],
    ['[]', 200, /not a JSON Web Key Set/],
    ['null', 200, /not a JSON Web Key Set/],
    ['{"keys":{}}', 200, /not a JSON Web Key Set/],
    [{ keys: Array(33).fill(jwk) }, 200, /more than 32 keys/],
    ['x'.repeat(65_537), 200, /more than 65536 bytes/],
  ] as const) {
    answer(body, status)
    const [result] = await update(now + day)
    assert.equal(result?.outcome, 'kept', String(reason))
    assert.match(result.reason ?? '', reason)
    assert.deepEqual(await keyids(), [keyid])
    assert.equal((await stored())?.datedMs, now, 'the time of the last fetch that worked')
  }
  assert.equal((await update(now + 7 * day + 1))[0]?.outcome, 'missing')
  assert.equal(await stored(), undefined)
})

test('a directory without a key withdraws it, and the keys of another URL are not kept', async (t) => {
  const { answer, update, stored } = await start(t)
  const { jwk } = await signingAgent()
  answer({ keys: [jwk] })
  await update()
  answer({ keys: [] })
  assert.deepEqual(await update(), [{ name: 'example', outcome: 'updated', entries: 0 }])
  assert.deepEqual((await stored())?.keys, [])
  answer({ keys: [jwk] })
  await update()
  const moved = { example: { ...agent, url: `https://other.example/gone` } }
  assert.equal((await update(now, moved))[0]?.outcome, 'missing')
})

test('leaves out keys that cannot verify, and the published test keys of RFC 9421', async () => {
  const { jwk } = await signingAgent()
  const testKey = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }
  const short = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(128, 0xab).toString('base64url') }
  const others = [
    testKey,
    short,
    { ...jwk, use: 'enc' },
    { ...jwk, x: 'AA' },
    { ...jwk, crv: 'X25519' },
    { kty: 'oct', k: 'AA' },
    {},
    1,
    null,
  ]
  assert.deepEqual(await keysOf(JSON.stringify({ keys: others })), [])
  const { publicKey } = await crypto.subtle.generateKey(
    { name: 'RSA-PSS', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-512' },
    true,
    ['sign', 'verify'],
  )
  const rsa = await crypto.subtle.exportKey('jwk', publicKey)
  const [key] = await keysOf(JSON.stringify({ keys: [...others, rsa] }))
  assert.equal(key?.algorithm, 'rsa-pss-sha512')
})

test('reads a copy from a file, and says what is wrong with a damaged store', async (t) => {
  const { dataFolder, update } = await start(t)
  const { jwk } = await signingAgent()
  const file = join(dataFolder, 'copy.json')
  await writeFile(file, JSON.stringify({ keys: [jwk] }))
  const agents = { example: { ...agent, url: `file://${file}`, agent: 'https://agent.example' } }
  assert.equal((await update(now, agents))[0]?.outcome, 'updated')
  const path = signatureAgentFile(dataFolder)
  assert.ok((await readFile(path, 'utf8')).includes(url))
  await writeFile(path, '{"version":1,"agents":[{}]}')
  await assert.rejects(
    readStoredAgents(path),
    /signature-agents\.json is damaged\. Delete it and run "ringfence data update"/,
  )
})
