import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '@ringfence/server/core/storage/open-database.ts'
import { listTenants } from '@ringfence/server/core/storage/tenants.ts'
import { putReportLabel } from '@ringfence/server/device/store/labels/report-labels.ts'
import { defaultRules } from '@ringfence/server/rules/defaults/default-rules.ts'
import { assertFailed, commandLine } from '../testing.ts'

const file = `rules:
  - id: vpn-and-new
    name: New device behind a VPN
    when: vpn and newDevice
    action: BLOCK
    score: 60
    cases:
      - fires: { vpn: true, newDevice: true }
      - silent: { vpn: true, newDevice: false }
`
const reports = [
  { requestId: 'r-1', input: { vpn: true, newDevice: true } },
  { requestId: 'r-2', dfrId: 'd-2', input: { vpn: true, newDevice: true } },
  { requestId: 'r-3', input: { sessionRiskScore: 80 }, outcome: 'fraud' },
  { requestId: 'r-4', newDevice: true, vpn: false, sessionRiskScore: 12, ruleAction: {} },
]
const lines = reports.map((report) => JSON.stringify(report)).join('\n')

const required = 'Requires LOGIN: login, device; SIGNUP: device; PAYMENT: device, phone; otherwise CHALLENGE.'

test('checks a rules file with line numbers, and runs its cases', async (t) => {
  const { folder, run } = await commandLine(t)
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  await write('good.yaml', file)
  await write('bad.yaml', file.replace('vpn and newDevice', 'vpn and newDevise').replace('score: 60', 'score: high'))
  await write(
    'case.yaml',
    file.replace('silent: { vpn: true, newDevice: false }', 'silent: { vpn: true, newDevice: true }'),
  )
  await write('untried.yaml', file.split('    cases:')[0]!)
  const [good, tried, bad, badJson, failing, untried, none] = await Promise.all([
    run(['rules', 'check', 'good.yaml']),
    run(['rules', 'test', 'good.yaml']),
    run(['rules', 'check', 'bad.yaml']),
    run(['rules', 'check', 'bad.yaml', '--json']),
    run(['rules', 'test', 'case.yaml']),
    run(['rules', 'test', 'untried.yaml']),
    run(['rules', 'check', 'none.yaml']),
  ])
  assert.deepEqual(
    [good.stdout, good.code],
    [`good.yaml: 1 rule, no mistake; at most 1 of 2000 µs of CPU time for a decision\n${required}\n`, 0],
  )
  assert.deepEqual([tried.stdout, tried.code], [`good.yaml: 1 rule, 2 cases hold\n${required}\n`, 0])
  assert.match(bad.stdout, /^bad\.yaml:6:12: rule vpn-and-new: score must be a number: added to the total/m)
  assert.match(bad.stdout, /^bad\.yaml:4:19: rule vpn-and-new: there is no "newDevise"; did you mean newDevice\?$/m)
  assertFailed({ ...bad, stdout: '' }, /bad\.yaml has 2 mistakes/)
  assert.deepEqual(
    JSON.parse(badJson.stdout).mistakes.map(({ line }: { line: number }) => line),
    [6, 4],
  )
  assert.match(
    failing.stdout,
    /^rule vpn-and-new, case 2: should stay silent and fires at \{"vpn":true,"newDevice":true\}\n$/,
  )
  assertFailed({ ...failing, stdout: '' }, /case\.yaml: 1 of 2 cases do not hold/)
  assert.match(untried.stdout, /^rule vpn-and-new has no case that fires and none that stays silent\n/)
  assert.equal(untried.code, 0)
  assertFailed(none, /none\.yaml cannot be read: it does not exist\n$/)
})

test('shadow refuses to end the shadow of another version, unless --replace says so', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init', '--tenant', 'shop'])
  const at = join(folder, 'rules.yaml')
  await writeFile(at, file)
  await run(['rules', 'draft', at])
  await run(['rules', 'shadow', '--by', 'ada'])
  await run(['rules', 'draft', at])
  const refused = await run(['rules', 'shadow', '--by', 'grace'])
  assertFailed(refused, /version 1 runs in shadow, started by ada; to end it, add --replace/)
  const same = await run(['rules', 'shadow', '1', '--by', 'grace'])
  assert.match(same.stdout, /^Version 1 runs in parallel/, 'it runs already')
  const replaced = await run(['rules', 'shadow', '--replace', '--by', 'grace'])
  assert.match(replaced.stdout, /^Version 2 runs in parallel with the live one/, replaced.stderr)
})

test('a rule goes from draft through shadow to live, a backtest runs before, and the history shows who did it', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init', '--tenant', 'shop'])
  const at = join(folder, 'rules.yaml')
  const shown = await run(['rules', 'show'])
  assert.match(
    shown.stdout,
    /^# version 0: the default rules\nrequire:\n {2}LOGIN: \[login, device\]\n.*\nrules:\n {2}- id: high-risk\n/s,
  )
  await writeFile(at, shown.stdout)
  await writeFile(at, `${shown.stdout}${file.slice('rules:\n'.length)}`)
  const [noDraft, nothing] = await Promise.all([run(['rules', 'shadow']), run(['rules', 'backtest'])])
  assertFailed(noDraft, /there is no draft: make one with npx ringfence rules draft FILE/)
  assert.match(
    nothing.stdout,
    /^0 sessions, .*\nhigh-risk +BLOCK +0 +0 +0 +0\n/s,
    'the live version is tested when there is no other',
  )
  const draft = await run(['rules', 'draft', at, '--by', 'ada', '--note', 'VPN and new'])
  const { length } = defaultRules.rules
  assert.equal(draft.stdout, `Version 1: ${length + 1} rules, stored as the draft. ${required}\n`, draft.stderr)

  await writeFile(join(folder, 'reports.jsonl'), lines)
  const database = await openDatabase(join(folder, 'ringfence-data'))
  const [{ id } = { id: '' }] = await listTenants(database)
  const known = { knownAt: 1, labelledAt: 1 }
  await putReportLabel(database, id, { kind: 'dfrId', id: 'd-2' }, { ...known, label: 'chargeback' })
  await putReportLabel(database, id, { kind: 'requestId', id: 'r-1' }, { ...known, label: 'legitimate' })
  await database.close()
  const backtest = ['rules', 'backtest', 'reports.jsonl']
  const [tables, json, untried] = await Promise.all([
    run([...backtest, '--hits', 'hits.jsonl']),
    run([...backtest, '--json']),
    run(['rules', 'live', '1']),
  ])
  assert.match(tables.stdout, /^4 sessions, 2 of them labelled as bad, 1 as good\.\n/, tables.stderr)
  assert.match(tables.stdout, /\nvpn-and-new +BLOCK +2 +50 % +1 +1 +2 +50 % \(9–91\) +50 %\n/)
  assert.match(tables.stdout, /\nALLOW → BLOCK +2 +50 % +1 +1 +r-1\n/)
  assert.match(tables.stdout, /\n {2}vpn-and-new: r-1, r-2\n/)
  const hits = (await readFile(join(folder, 'hits.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(hits, [
    { requestId: 'r-1', action: 'BLOCK', rules: ['vpn-and-new'], outcome: 'legitimate' },
    { requestId: 'r-2', dfrId: 'd-2', action: 'BLOCK', rules: ['vpn-and-new'], outcome: 'chargeback' },
    { requestId: 'r-3', action: 'BLOCK', rules: ['high-risk'], outcome: 'fraud' },
  ])
  assert.deepEqual(JSON.parse(json.stdout).byAction.BLOCK, { reports: 3, bad: 2, good: 1 })

  assertFailed(untried, /version 1 was never in shadow: .*--untried/)
  assert.match((await run(['rules', 'shadow', '--by', 'ada'])).stdout, /^Version 1 runs in parallel with the live one/)
  assert.match((await run(['rules', 'live', '--by', 'grace'])).stdout, /^Version 1 is live\. Running servers use it/)
  const [now, list, history, historyJson] = await Promise.all([
    run(['rules', 'show']),
    run(['rules', 'list']),
    run(['rules', 'history']),
    run(['rules', 'history', '--json']),
  ])
  assert.match(now.stdout, /\n {2}- id: vpn-and-new\n/)
  const stages = `1 +${length + 1} +live +2\\d{3}-.*\n0 +${length} +default rules`
  assert.match(list.stdout, new RegExp(`^VERSION +RULES +STAGE +CREATED\n${stages}\n$`))
  assert.match(
    history.stdout,
    /UTC +grace +version 1 live, before: 0\n.* ada +version 1 shadow\n.* ada +version 1 draft +VPN and new\n$/,
  )
  assert.deepEqual(
    JSON.parse(historyJson.stdout).map(({ change }: { change: string }) => change),
    ['live', 'shadow', 'draft'],
  )
  assert.equal((await run(['rules', 'live', '0', '--json'])).stdout, '{"version":0,"stage":"live"}\n')
})

test('a backtest of files needs no data folder, and names a line that is not a report', async (t) => {
  const { folder, run } = await commandLine(t)
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  await write('rules.yaml', file)
  await write('reports.jsonl', lines)
  await write('broken.jsonl', `${lines}\n\n{"requestId":"r-5","input":{"vpn":1}}\n`)
  const backtest = async (...args: string[]) => run(['rules', 'backtest', ...args, '--rules', 'rules.yaml'])
  const [result, broken, none, both] = await Promise.all([
    backtest('reports.jsonl', '--json'),
    backtest('broken.jsonl'),
    backtest('none.jsonl'),
    backtest('reports.jsonl', '--try', '1'),
  ])
  assert.deepEqual(JSON.parse(result.stdout).rules[0].examples, ['r-1', 'r-2'])
  assertFailed(broken, /broken\.jsonl, line 6: input\.vpn must be true or false/)
  assertFailed(none, /none\.jsonl cannot be read: it does not exist\n$/)
  assertFailed(both, /choose --rules or --try, not both/, 2)
})

test('a backtest replays velocities over a file of decisions, and names one that is out of order', async (t) => {
  const { folder, run } = await commandLine(t)
  const velocity = 'velocity:\n  cards: { distinct: params.card, per: user, within: 24h }\n'
  const rule = '  - { id: cards, name: Cards, action: BLOCK, score: 1, when: velocity.cards > 1 }\n'
  await writeFile(join(folder, 'rules.yaml'), `${velocity}rules:\n${rule}`)
  const decisions = ['a', 'a', 'b'].map((card, at) =>
    JSON.stringify({ decisionId: `d-${at}`, at, input: { userId: 'u-1', params: { card } } }),
  )
  await writeFile(join(folder, 'decisions.jsonl'), decisions.join('\n'))
  await writeFile(join(folder, 'shuffled.jsonl'), decisions.toReversed().join('\n'))
  const backtest = (...args: string[]) => run(['rules', 'backtest', ...args, '--rules', 'rules.yaml'])
  const [found, shuffled, both] = await Promise.all([
    backtest('decisions.jsonl', '--json', '--hits', 'hits.jsonl'),
    backtest('shuffled.jsonl'),
    backtest('decisions.jsonl', '--decisions'),
  ])
  assert.deepEqual(JSON.parse(found.stdout).rules[0].examples, ['d-2'], found.stderr)
  const hit = JSON.parse(await readFile(join(folder, 'hits.jsonl'), 'utf8'))
  assert.deepEqual([hit.decisionId, hit.action], ['d-2', 'BLOCK'])
  assertFailed(shuffled, /decision d-1 is earlier than the one before it/)
  assertFailed(both, /choose a file or --decisions, not both/, 2)
})

test('suggests rules from labelled sessions, and says when there are too few', async (t) => {
  const { folder, run } = await commandLine(t)
  const sessions = Array.from({ length: 400 }, (_, index) => {
    const [isBad, vpn] = [index % 4 === 0, index % 4 === 0 ? index % 20 !== 0 : index % 37 === 0]
    const input = { userId: `u-${index}`, vpn }
    return JSON.stringify({ decisionId: `d-${index}`, at: index, input, outcome: isBad ? 'fraud' : 'legitimate' })
  })
  await writeFile(join(folder, 'decisions.jsonl'), sessions.join('\n'))
  await writeFile(join(folder, 'few.jsonl'), sessions.slice(0, 20).join('\n'))
  await writeFile(join(folder, 'rules.yaml'), 'rules: []\n')
  const suggest = (...args: string[]) => run(['rules', 'suggest', ...args, '--rules', 'rules.yaml'])
  const [found, json, few] = await Promise.all([
    suggest('decisions.jsonl'),
    suggest('decisions.jsonl', '--json'),
    suggest('few.jsonl'),
  ])
  assert.match(
    found.stdout,
    /^100 sessions are labelled as bad and 300 as good, of 100 and 300 separate users/,
    found.stderr,
  )
  assert.match(found.stdout, /\n\d+ +\d+ +89 % \(\d+–\d+\) +\d+ % \(\d+–\d+\) +CHALLENGE +vpn\n/)
  assert.match(found.stdout, /\nrules:\n {2}- id: suggested-1\n {4}name: vpn\n {4}when: vpn\n {4}action: CHALLENGE\n/)
  assert.equal(JSON.parse(json.stdout).suggestions[0].when, 'vpn')
  assert.match(few.stdout, /^No suggestion: 5 sessions are labelled as bad and 15 as good.*Label more sessions\.\n$/)
})

test('needs --tenant when there are several, and never mixes their rules', async (t) => {
  const { folder, run } = await commandLine(t)
  await run(['init', '--tenant', 'shop'])
  await run(['init', '--tenant', 'bank'])
  await writeFile(join(folder, 'rules.yaml'), file)
  assertFailed(await run(['rules', 'list']), /choose one with --tenant \(shop, bank\)/)
  await run(['rules', 'draft', 'rules.yaml', '--tenant', 'shop'])
  const [ofShop, ofBank, other, misnamed] = await Promise.all([
    run(['rules', 'list', '--tenant', 'shop', '--json']),
    run(['rules', 'list', '--tenant', 'bank', '--json']),
    run(['rules', 'show', '1', '--tenant', 'bank']),
    run(['rules', 'show', 'newest']),
  ])
  assert.deepEqual([JSON.parse(ofShop.stdout).length, JSON.parse(ofBank.stdout).length], [2, 1])
  assertFailed(other, /there is no version 1/)
  assertFailed(misnamed, /It must be a number, draft, shadow or live/, 2)
})

test('every command works for a user without a name, as which a container may run', async (t) => {
  const { folder, run } = await commandLine(t)
  const nameless = `import os from 'node:os'
import { syncBuiltinESMExports } from 'node:module'
os.userInfo = () => { throw Object.assign(new Error('uv_os_get_passwd returned ENOENT'), { code: 'ENOENT' }) }
syncBuiltinESMExports()`
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(nameless)}` }
  await writeFile(join(folder, 'rules.yaml'), file)
  const init = await run(['init'], { env })
  assert.equal(init.code, 0, init.stderr)
  await run(['rules', 'draft', 'rules.yaml'], { env })
  const [change] = JSON.parse((await run(['rules', 'history', '--json'], { env })).stdout)
  assert.equal(change.changedBy, `uid ${process.getuid?.()}`)
})
