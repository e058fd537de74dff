import assert from 'node:assert/strict'
import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Decision, endpoints, readSamples } from '@ringfence/contract'
import type { RuleInput } from '@ringfence/server/rules/language/vocabulary.ts'
import { assertFailed, commandLine } from '../testing.ts'
import { decisionText } from './decision-text.ts'

const rules = `require: {}
rules:
  - id: look
    name: Large payment
    when: params.amount > 1000
    action: REVIEW
    score: 40
    message: We look at this payment.
`

/** A service with rules that send large payments to review. */
async function scene(t: TestContext) {
  const { run, serve, folder } = await commandLine(t)
  const { clientId, clientSecret } = JSON.parse((await run(['init', '--tenant', 'shop', '--json'])).stdout)
  await writeFile(join(folder, 'rules.yaml'), rules)
  for (const args of [
    ['rules', 'draft', 'rules.yaml'],
    ['rules', 'shadow', '1'],
    ['rules', 'live', '1'],
  ]) {
    const done = await run(args)
    assert.equal(done.code, 0, done.stderr)
  }
  const { url } = await serve()
  const decide = async (amount: number, more: object = {}): Promise<Decision> => {
    const response = await fetch(url + endpoints.decide.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', clientId, clientSecret },
      body: JSON.stringify({ action: 'PAYMENT', userId: 'asha', params: { amount }, ...more }),
    })
    assert.equal(response.status, 200)
    return (await response.json()) as Decision
  }
  return { run, folder, decide, url, headers: { clientId, clientSecret } }
}

test('decisions show prints one decision whole, without control characters of what was sent', async (t) => {
  const { run, decide } = await scene(t)
  const { decisionId, score } = await decide(1500, { params: { amount: 1500, note: 'a\u001b[2Jb' } })
  const shown = await run(['decisions', 'show', decisionId])
  assert.equal(shown.code, 0, shown.stderr)
  assert.match(shown.stdout, new RegExp(`^Decision ${decisionId}, 2\\d{3}-.* UTC: REVIEW, score ${score}\\n`))
  for (const line of [
    /^Sent to review by .*: amount 1,500, limit .*\. Without this rule it would have been allowed\.$/m,
    /^RULE +31 +rules\.look +.*: amount 1,500/m,
    /^ {2}about +PAYMENT, user asha$/m,
    /^ {2}message +We look at this payment\.$/m,
    /^ {2}review +open$/m,
    /^ {2}rules +version 1: look$/m,
    /^ {2}decisive +look$/m,
    /^ {2}params +amount: 1500, note: /m,
  ]) {
    assert.match(shown.stdout, line)
  }
  assert.ok(!shown.stdout.includes('\u001b[2J'))
  const { decision, input } = JSON.parse((await run(['decisions', 'show', decisionId, '--json'])).stdout)
  assert.deepEqual([decision.decisionId, input.params.amount], [decisionId, 1500])
  const unknown = '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e'
  assertFailed(await run(['decisions', 'show', unknown]), new RegExp(`there is no decision ${unknown}`))
  assert.equal((await run(['decisions', 'show', 'x'])).code, 2)
})

test('a decision shows phone, sign-in, email address, device and account, with what is unusual, in lines of a terminal', () => {
  const { ordinary, challenge } = readSamples().Decision as { ordinary: Decision; challenge: Decision }
  const travel = { distanceKm: 6703, speedKmh: 402_180, impossible: true }
  const account = { sessions: 3, ageDays: 40.2, daysSinceLastSession: 0.5, newCountry: true, newNumber: true, travel }
  const input = {
    action: 'PAYMENT',
    userId: 'asha',
    signals: { bot: 'bad', incognito: true, tampering: false },
    velocity: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`cardsOfDevice${index}`, index])),
    reportAgeSeconds: 0.117_249,
  } as RuleInput
  const facts = { disposable: true, freeMail: false, role: false, accountsOfMailbox: 3 }
  const email = { domain: 'gmial.com', suggestedDomain: 'gmail.com', ...facts }
  const text = decisionText({ decision: { ...ordinary, account, email }, input, shadow: undefined })
  for (const line of [
    /^ {2}about +PAYMENT, user asha$/m,
    /^ {2}SIM swap +swapped yes, maxAgeHours 72, at 2026-03-01 12:00 UTC$/m,
    /^ {2}signals +bot \(bad\), incognito$/m,
    /^ {2}disposable +yes$/m,
    /^ {2}typing error +probably gmail\.com$/m,
    /^ {2}accounts of the mailbox +3 in 30 days$/m,
    /^ {2}sessions +3 proven, the first 40 days ago, the last 12 hours ago$/m,
    /^ {2}new +country, phone number$/m,
    /^ {2}travel +6703 km since the last session, at 402180 km\/h: impossible$/m,
    /^ {2}velocity +cardsOfDevice0: 0, /m,
    /^ {2}reportAgeSeconds +0\.1172$/m,
  ]) {
    assert.match(text, line)
  }
  const [, read = ''] = text.split('What the rules read:\n')
  assert.ok(read.split('\n').every((line) => line.length <= 110))
  assert.match(read, /cardsOfDevice11: 11/)
  const asked = decisionText({ decision: challenge, input: {}, shadow: undefined })
  assert.match(asked, /^ {2}challenge +open, until 2026-03-01 12:10 UTC, with EMAIL$/m)
  assert.match(asked, /^ {2}missing +device \(unknown\)$/m)
})

test('reviews are listed, shown, approved and blocked; the second reviewer learns who was first', async (t) => {
  const { run, decide } = await scene(t)
  assert.equal((await run(['reviews', 'list'])).stdout, 'No decision waits for a review.\n')
  const [first, second] = [(await decide(1500)).decisionId, (await decide(2500)).decisionId]
  assert.match(
    (await run(['reviews', 'list'])).stdout,
    new RegExp(`^DECISION .*\\n${first} .* PAYMENT +asha +31 +Large payment +look\\n${second} `),
    'without a reason, the name of the rule says why',
  )
  assert.match((await run(['reviews', 'show', first])).stdout, /review +open/)
  const approved = await run(['reviews', 'approve', first, '--by', 'maya', '--note', 'called back'])
  assert.equal(approved.stdout, `${first} is approved by maya.\n`, approved.stderr)
  assert.equal((await run(['reviews', 'approve', first, '--by', 'maya'])).code, 0, 'repeated')
  assertFailed(
    await run(['reviews', 'block', first, '--by', 'tim']),
    /the review is already resolved: approved by maya at 2\d{3}-/,
  )
  assert.equal((await run(['reviews', 'block', second, '--by', 'tim'])).code, 0)
  assert.deepEqual(JSON.parse((await run(['reviews', 'list', '--json'])).stdout), [])
  assert.match((await run(['reviews', 'list', '--state', 'approved'])).stdout, /maya +called back\n$/)
  assert.match((await run(['decisions', 'show', first])).stdout, /review +approved, by maya, 2\S+Z, called back/)
  const small = (await decide(10)).decisionId
  assertFailed(
    await run(['reviews', 'approve', small]),
    /there is no decision .* in review; npx ringfence reviews list/,
  )
})

test('events export writes NDJSON and CSV, continues a file, and never overwrites one', async (t) => {
  const { run, folder, decide } = await scene(t)
  const ids = [await decide(1, { userId: '=HYPERLINK("http://evil.example")' }), await decide(2), await decide(3)].map(
    ({ decisionId }) => decisionId,
  )
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const of = ['--type', 'decision.created']
  const whole = await run(['events', 'export', '--out', 'all.ndjson', ...of])
  assert.equal(whole.code, 0, whole.stderr)
  assert.match(whole.stdout, /^Wrote 3 events to all\.ndjson in \d+\.\d s\.\n$/)
  const events = (await read('all.ndjson'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    events.map(({ data }) => data.decisionId),
    ids,
  )
  assert.deepEqual(
    events.map(({ type, outcome }) => `${type} ${outcome}`),
    Array(3).fill('decision.created ALLOW'),
  )
  assert.equal((await stat(join(folder, 'all.ndjson'))).mode & 0o777, 0o600, 'personal data')
  assertFailed(await run(['events', 'export', '--out', 'all.ndjson']), /all\.ndjson exists: .* --resume/)

  await run(['events', 'export', '--out', 'all.csv', ...of])
  const csv = await read('all.csv')
  const [head, first, second] = csv.split('\r\n')
  assert.equal(head, 'id,type,timestamp,outcome,userId,phoneNumber,deviceId,ipAddress,data')
  assert.match(first!, /,ALLOW,"'=HYPERLINK\(""http:\/\/evil\.example""\)",,,/)
  assert.match(second!, /,ALLOW,asha,,,,"\{""decisionId"":/)

  for (const [name, cut] of [
    ['all.ndjson', 10],
    ['all.csv', 10],
    ['all.csv', 700],
  ] as const) {
    const before = await read(name)
    await truncate(join(folder, name), Math.max(0, Buffer.byteLength(before) - cut))
    const resumed = await run(['events', 'export', '--out', name, '--resume', ...of])
    assert.equal(resumed.code, 0, resumed.stderr)
    assert.equal(await read(name), before, `${name} without its last ${cut} bytes`)
  }
  await truncate(join(folder, 'all.csv'), 20)
  await run(['events', 'export', '--out', 'all.csv', '--resume', ...of])
  assert.equal(await read('all.csv'), csv, 'also from a part of the head')
  await decide(4)
  assert.match((await run(['events', 'export', '--out', 'all.csv', '--resume', ...of])).stdout, /^Wrote 1 events/)

  await appendFile(join(folder, 'other.txt'), 'something else\n')
  assertFailed(
    await run(['events', 'export', '--out', 'other.txt', '--resume']),
    /other\.txt is not an export of events/,
  )
  assert.equal(await read('other.txt'), 'something else\n')
  assertFailed(await run(['events', 'export', '--out', 'no.csv', '--resume']), /no\.csv does not exist/)
  const empty = await run([
    'events',
    'export',
    '--out',
    'none.csv',
    '--to',
    '2026-01-01',
    '--from',
    '2025-01-01',
    '--json',
  ])
  assert.equal(JSON.parse(empty.stdout).events, 0)
  for (const wrong of [
    ['--from', 'yesterday'],
    ['--type', 'decision.unknown'],
    ['--from', '2026-02-01', '--to', '2026-01-01'],
  ]) {
    assert.equal((await run(['events', 'export', '--out', 'wrong.csv', ...wrong])).code, 2, wrong.join(' '))
  }
})
