import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { endpoints, type ReportSignals } from '@ringfence/contract'
import { parse } from 'yaml'
import { longestWaitMs } from '../core/files/newer-files.ts'
import type { Database } from '../core/storage/database.ts'
import { signedRequest } from '../http/credentials/signed-request.ts'
import { maintain } from '../maintenance.ts'
import { readRuleSet } from '../rules/rule-set.ts'
import { tokenCalls } from '../sign-in/tokens/testing.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { holdTimers } from '../testing/held-timers.ts'
import { ordinaryFacts, sdkClient } from '../testing/sdk-client.ts'
import { startTestService, type TestServiceOptions } from '../testing/test-service.ts'
import { type DirectoryOptions, publishKeys, type SigningChanges, signingAgent } from './testing/signing-agent.ts'

async function start(t: TestContext, database: Database, options: TestServiceOptions = {}) {
  holdTimers(t, longestWaitMs) // a look waits for the disk, however slow it is
  const service = await startTestService(t, database, options)
  const agent = await signingAgent()
  const { clock, parts: needs } = service
  const { dataFolder } = needs.settings
  const publish = async (keys: readonly object[], changes?: DirectoryOptions) => {
    await publishKeys({ dataFolder, now: clock.now() }, keys, changes)
    clock.advance({ seconds: 10 })
  }
  await publish([agent.jwk])
  /** Of a session whose engine call has these headers. */
  const report = async (headers: Readonly<Record<string, string>>, params: object = {}) => {
    const client = await sdkClient(service)
    const analysed = await client.post(endpoints.intelligence.path, client.engineBody(), headers)
    assert.equal(analysed.status, 200, JSON.stringify(analysed.body))
    const pushed = await client.post(endpoints.pushFingerprint.path, client.pushBody(analysed.body.requestId, params))
    const { dfrId } = pushed.body
    return (await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB', include: ['signals'] }))
      .body
  }
  return {
    service,
    agent,
    publish,
    sign: (changes?: SigningChanges, url = service.url) =>
      agent.sign(url + endpoints.intelligence.path, clock.now(), changes),
    report,
    /** The signal `bot` of the report. */
    async bot(headers: Readonly<Record<string, string>>) {
      const body = await report(headers)
      const { verdict, evidence } = (body.signals as ReportSignals).bot!
      return {
        ...(verdict as { result: string; name?: string; category?: string; proof?: string }),
        because: evidence.join(),
      }
    },
  }
}

const proved = { result: 'good', name: 'Example-Agent', category: 'aiAgent', proof: 'signature' }

eachDatabase(({ engine, open }) => {
  test(`an agent that signs its requests is good, with name, category and proof (${engine})`, async (t) => {
    const { bot, sign } = await start(t, await open(t))
    const { because, ...verdict } = await bot(await sign())
    assert.deepEqual(verdict, proved)
    assert.match(because, /signed with a key of https:\/\/agent\.example\/\.well-known/)
    assert.equal((await bot({})).proof, undefined, 'a person')
    assert.equal(
      (await bot(await sign({ components: ['@authority', '@method', '@path', 'signature-agent'] }))).result,
      'bad',
    )
    const legacy = await sign({ agent: '"https://agent.example"', components: ['@target-uri', 'signature-agent'] })
    assert.equal((await bot(legacy)).result, 'good')
  })

  test(`a nonce counts for the session that used it first, also when the SDK repeats its call (${engine})`, async (t) => {
    const { service, bot, sign } = await start(t, await open(t))
    const headers = await sign()
    const client = await sdkClient(service)
    const body = client.engineBody(ordinaryFacts, { carry: true })
    await client.post(endpoints.intelligence.path, body, headers)
    const repeated = await client.post(endpoints.intelligence.path, body, headers)
    assert.equal(repeated.status, 200)
    const { requestId, analysis } = repeated.body
    const push = { ...client.pushBody(requestId), data: { requestId, analysis } }
    const { dfrId } = (await client.post(endpoints.pushFingerprint.path, push)).body
    const reported = { dfrId, deviceType: 'WEB', include: ['signals'] }
    const { signals } = (await service.post(endpoints.deviceFingerprint.path, reported)).body
    assert.deepEqual(signals.bot.verdict, proved)
    const copied = await bot(headers)
    assert.deepEqual([copied.result, copied.proof, copied.name], ['bad', 'none', 'Example-Agent'])
    assert.match(copied.because, /another session used the nonce/)

    const { database } = service.parts
    const stored = async () => (await database.query('select nonce_hash from agent_nonce', [])).length
    assert.equal(await stored(), 1)
    await maintain({ ...service.parts, measureClock: async () => {} })
    assert.equal(await stored(), 1)
    service.clock.advance({ seconds: 600 })
    await maintain({ ...service.parts, measureClock: async () => {} })
    assert.equal(await stored(), 0)
  })
})

const open = (t: TestContext, options?: TestServiceOptions) =>
  sqliteDatabases.open(t).then((database) => start(t, database, options))

test('a name without a valid signature is bad, whatever is wrong with the signature', async (t) => {
  const { service, bot, sign, agent, publish } = await open(t)
  const other = await signingAgent()
  const now = service.clock.now()
  const expect = async (headers: Record<string, string>, because: RegExp) => {
    const found = await bot(headers)
    assert.deepEqual([found.result, found.proof], ['bad', 'none'], String(because))
    assert.match(found.because, because)
  }
  const url = service.url + endpoints.intelligence.path
  await expect(await other.sign(url, now), /no valid key .* of https:\/\/agent\.example/)
  const forged = await other.sign(url, now, { parameters: { keyid: agent.keyid } })
  await expect(forged, /Signature verification failed/)
  await expect(await sign({}, 'https://shop.example'), /Signature verification failed/)
  await expect(await sign({ parameters: { expires: Math.floor(now / 1000) - 61 } }), /expired/)
  await expect(await sign({ parameters: { created: Math.floor(now / 1000) + 90 } }), /in the future/)
  const old = { created: Math.floor(now / 1000) - 86_500, expires: Math.floor(now / 1000) + 300 }
  await expect(await sign({ parameters: old }), /too old/)
  await expect(await sign({ components: ['@method'] }), /neither @authority nor @target-uri/)
  await expect(await sign({ components: ['@authority'] }), /Required component .*signature-agent/)
  await expect(await sign({ agent: 'sig="https://other.example"' }), /no valid key .* of https:\/\/other\.example/)
  await expect({ ...(await sign()), signature: 'sig=:AAAA:' }, /Signature verification failed/)
  await expect({ 'signature-input': 'a=(((;tag="web-bot-auth"' }, /malformed/)
  assert.equal((await bot({ 'signature-input': 'a=();tag="other"', signature: 'a=:AAAA:' })).proof, undefined)

  await publish([])
  await expect(await sign(), /no valid key/)
  const seconds = service.clock.now() / 1000
  await publish([{ ...agent.jwk, exp: seconds - 1 }])
  await expect(await sign(), /no valid key/)
  await publish([{ ...agent.jwk, nbf: seconds + 3600 }])
  await expect(await sign(), /no valid key/)
  await publish([{ ...agent.jwk, nbf: seconds - 1, exp: seconds + 3600 }])
  assert.equal((await bot(await sign())).result, 'good')
  await publish([agent.jwk])
  service.clock.advance({ hours: 24 * 7 })
  await expect(await sign(), /no valid key/)
})

test('a Host header does not change for which host a request was signed; PUBLIC_HOSTS adds hosts', async (t) => {
  const settings = { baseUrl: 'https://fraud.example', publicHosts: 'id.shop.example, id.bank.example:8443' }
  const { service, bot, sign } = await open(t, { settings })
  // fetch sets no Host header, so the engine call goes through the check itself.
  const check = async (host: string, signedFor: string) => {
    const headers = { ...(await sign({}, signedFor)), host }
    const request = signedRequest({ method: 'POST', url: endpoints.intelligence.path, headers }, service.parts)
    return (await service.parts.bots.agents.check(request!, host))?.verification
  }
  assert.equal((await bot(await sign({}, 'https://fraud.example'))).result, 'good')
  assert.equal((await bot(await sign())).result, 'bad')
  assert.equal(await check('id.shop.example', 'https://id.shop.example'), 'verified')
  assert.equal(await check('ID.Bank.example:8443', 'https://id.bank.example:8443'), 'verified')
  assert.equal(await check('evil.example', 'https://evil.example'), 'failed')
  assert.equal(await check('id.shop.example', 'https://evil.example'), 'failed')
})

test('token verification and secure info keep to the specification', async (t) => {
  const { service, agent } = await open(t)
  const client = await sdkClient(service)
  const headers = await agent.sign(service.url + endpoints.secure.path, service.clock.now())
  const { status, body } = await client.post(endpoints.secure.path, client.engineBody(), headers)
  assert.equal(status, 200, JSON.stringify(body))
  const { secureInfo } = tokenCalls(service)
  assert.deepEqual((await secureInfo(body.token)).body.secure_info.bot, { result: 'good' })
})

test('the rules of the guide say what an agent may do', async (t) => {
  const { service, report, sign } = await open(t)
  const { parts: needs, tenantId } = service
  const guide = await readFile(new URL('../../../docs/guides/bots-and-agents.md', import.meta.url), 'utf8')
  const [, written = ''] = /```yaml\n(rules:\n.*?)```/s.exec(guide) ?? []
  const { ruleSet, mistakes } = readRuleSet(parse(written))
  assert.deepEqual(mistakes, [])
  const version = await needs.rules.draft(tenantId, ruleSet, { by: 'test' })
  await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
  service.clock.advance({ seconds: 2 })
  const firedFor = async (headers: Record<string, string>, purpose: string) =>
    Object.keys((await report(headers, { purpose })).appliedRules.rules).map((rule) => rule.split(' : ')[0])
  const signed = await sign()
  assert.deepEqual(await firedFor(signed, 'BROWSE'), [])
  assert.deepEqual(await firedFor(signed, 'BROWSE'), ['unproved-name'], 'the same signature in another session')
  assert.deepEqual(await firedFor(await sign(), 'PAYMENT'), ['agents-do-not-pay'])
  assert.deepEqual(await firedFor({ 'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2)' }, 'PAYMENT'), [
    'unproved-name',
    'no-ai-crawlers',
  ])
  assert.deepEqual(await firedFor({}, 'PAYMENT'), [])
})
