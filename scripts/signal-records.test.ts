import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { flag } from '@ringfence/server/core/path-types.ts'
import { knownDetectorsOf, secureInfoDetailOf, secureInfoOf } from '@ringfence/server/device/analysis/views.ts'
import { sessionScoreOf } from '@ringfence/server/device/scores/session-score.ts'
import { suspectContributionsOf } from '@ringfence/server/device/scores/suspect-score.ts'
import { firedOf, weightsOf } from '@ringfence/server/device/scores/weights.ts'
import { signals } from '@ringfence/server/device/signals/index.ts'
import { judgeOf } from '@ringfence/server/device/signals/judge.ts'
import { type Finding, resultOf, signal } from '@ringfence/server/device/signals/signal.ts'
import { recorded } from '@ringfence/server/device/testdata/recordings.ts'
import { reportDefaultsOf, signalFieldsOf } from '@ringfence/server/device-report/fields.ts'
import { pathsOf } from '@ringfence/server/rules/language/paths.ts'
import { inputOfDetectorsOf } from '@ringfence/server/rules/language/session-input.ts'
import { ruleInputSchemaOf } from '@ringfence/server/rules/language/vocabulary.ts'
import Value from 'typebox/value'
import { reasonsPageOf, rulesPageOf, signalsPageOf } from './generate-docs.ts'

/** A signal that does not exist: the browser asks not to be tracked. The field of the report would be one of the contract. */
const example = signal({
  name: 'exampleSignal',
  question: 'Does the browser ask not to be tracked?',
  version: 7,
  platforms: ['WEB'],
  judge({ headers }): Finding<{ result: boolean }> | undefined {
    return { verdict: { result: headers.dnt === '1' }, reasons: [`dnt: ${headers.dnt}`] }
  },
  weights: {
    exampleSignal: { fires: resultOf, session: 0.5, because: 'asks not to be tracked', suspect: { WEB: 5 } },
  },
  report: {
    field: 'exampleFlag' as 'proxy',
    value: resultOf,
    rule: { type: flag('Asks not to be tracked'), read: (input) => Reflect.get(input, 'exampleFlag') },
  },
  secureInfo: {
    returnedBy: 'secure-info',
    unknown: { result: false },
    rules: {
      exampleSignal: {
        type: flag('The browser asks not to be tracked'),
        value: resultOf,
        read: (input) => input.signals?.exampleSignal,
      },
    },
  },
})

const list = [...signals, example]
const evidence = { ...recorded('chromium-ordinary'), headers: { dnt: '1' } }
const judgement = judgeOf(list)(evidence)
const verdicts: Readonly<Record<string, unknown>> = judgement.verdicts
const judged = (platform: 'WEB' | 'IOS') => ({ platform, judgement })

test('an added signal is judged, and raises both scores', () => {
  assert.deepEqual(verdicts.exampleSignal, { result: true })
  assert.deepEqual(Reflect.get(judgement.reasons, 'exampleSignal'), ['dnt: 1'])
  assert.equal(Reflect.get(judgement.versions, 'exampleSignal'), 7)
  assert.equal(
    judgement.verdicts.suspectScore?.result,
    5 + (judgeOf(signals)(evidence).verdicts.suspectScore?.result ?? 0),
  )
  const weights = weightsOf(list)
  const fired = firedOf(weights)(verdicts)
  assert.ok(fired.includes('exampleSignal'))
  const contribution = { source: 'exampleSignal', weight: 0.5, because: 'asks not to be tracked' }
  assert.deepEqual(sessionScoreOf(weights)(['exampleSignal']), { score: 50, contributions: [contribution] })
  assert.deepEqual(suspectContributionsOf(weights)({ exampleSignal: { result: true } } as object, 'WEB'), [
    { source: 'exampleSignal', weight: 5 },
  ])
})

test('an added signal is in the report and in the views of the platform', () => {
  assert.equal(Reflect.get(signalFieldsOf(list)(judged('WEB')), 'exampleFlag'), true)
  const silent = { platform: 'WEB', judgement: { ...judgement, verdicts: {} } } as const
  assert.equal(Reflect.get(signalFieldsOf(list)(silent), 'exampleFlag'), undefined)
  assert.deepEqual(reportDefaultsOf(list), reportDefaultsOf(signals), 'only fields of the contract are in a report')
  assert.deepEqual(Reflect.get(secureInfoDetailOf(list)(judged('WEB')), 'exampleSignal'), { result: true })
  assert.deepEqual(Reflect.get(secureInfoDetailOf(list)(judged('IOS')), 'exampleSignal'), { result: false })
  assert.equal(Reflect.get(secureInfoOf(list)(judged('WEB')), 'exampleSignal'), undefined)
})

test('rules can read an added signal', () => {
  const input = { exampleFlag: true, signals: inputOfDetectorsOf(list)(knownDetectorsOf(list)(judged('WEB'))) }
  assert.deepEqual(Value.Errors(ruleInputSchemaOf(list), input), [])
  assert.notDeepEqual(Value.Errors(ruleInputSchemaOf(list), { signals: { exampleSignal: 'yes' } }), [])
  const read = pathsOf(list).flatMap(({ path, kind, description, read }) =>
    path.includes('example') ? [[path, kind, description, read(input)]] : [],
  )
  assert.deepEqual(read, [
    ['exampleFlag', 'flag', 'Asks not to be tracked', true],
    ['signals.exampleSignal', 'flag', 'The browser asks not to be tracked', true],
  ])
})

test('an added signal is in the generated reference', () => {
  const page = signalsPageOf(list)
  assert.match(
    page,
    /^\| `exampleSignal` \| Does the browser ask not to be tracked\? \| WEB \| `exampleFlag` \| .* \| 7 \|$/m,
  )
  assert.match(page, /^\| `exampleSignal` \| 5 \| {2}\| {2}\|$/m)
  const reasons = reasonsPageOf(list)
  assert.match(reasons, /^\| `EXAMPLE_SIGNAL` \| 50 \| `device.exampleSignal` \| Asks not to be tracked \|$/m)
  assert.match(reasons, /^\| `PREVIOUS_` before the code of any reason of the device \| 60 % of its weight \|/m)
  const rules = rulesPageOf(pathsOf(list))
  assert.match(rules, /^\| `exampleFlag` \| flag \| Asks not to be tracked \|$/m)
  assert.match(rules, /^\| `signals.exampleSignal` \| flag \| The browser asks not to be tracked \|$/m)
})

const root = fileURLToPath(new URL('..', import.meta.url))

/** Where the names of signals belong: their own files and the list, the rules that people wrote and the words of a verdict about them, tests and their data. */
const belongs =
  /^server\/src\/device\/signals\/|\/rules\/(defaults\/(default|led)-rules|reasons\/(path-words|phone-reasons|rule-facts))\.ts$|\.test\.ts$|\/(testdata|testing)\//
/** Words that also mean something else: kinds of IP addresses, hosts of agents, a kind of user agent, facts of phones, and why a decision misses a report. */
const otherMeanings: readonly [folder: RegExp, names: readonly string[]][] = [
  [/^server\/src\/(ip|core\/config\/ip-data-settings)/, ['tor', 'proxy', 'vpn']],
  [/^cli\/src\/test-service\/addresses\.ts$/, ['tor', 'proxy', 'vpn']],
  [/^server\/src\/(decisions\/gather|rules\/requirements\/missing-text)\.ts$/, ['unattested']],
  [/^server\/src\/device-report\/rule-input\.ts$/, ['missingFacts', 'unattested']],
  [/^server\/src\/bots\//, ['bot']],
  [/^server\/src\/device\/analysis\/user-agent\.ts$/, ['bot']],
  [/^server\/src\/device\/analysis\/(owed|whole)-facts\.ts$/, ['simulator', 'proxy']],
]

test('outside its file, the list, the contract, rules and tests no code names a signal', () => {
  const names = new Set(
    signals.flatMap<string>(({ name, weights = {}, report, secureInfo }) => [
      name,
      ...Object.keys(weights),
      ...(report ? [report.field] : []),
      ...Object.keys(secureInfo?.rules ?? {}),
    ]),
  )
  const found = ['server/src', 'cli', 'sandbox']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && !/node_modules|dist\//.test(file) && !belongs.test(file))
    .flatMap((file) => {
      const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      const others = otherMeanings.flatMap(([folder, words]) => (folder.test(file) ? words : []))
      const sought = [...names].filter((name) => !others.includes(name))
      const inExpressions = namesInExpressions(code, sought)
      return sought
        .filter((name) => namesIt(code, name) || inExpressions.includes(name))
        .map((name) => `${file}: ${name}`)
    })
  assert.deepEqual(found, [], 'say it in the record of the signal')
})

/** As a string, a key, a member, or a part of a destructuring pattern. */
const namesIt = (code: string, name: string) =>
  new RegExp(`(['"])${name}\\1|\\.${name}\\b|\\b${name}\\??:|[{,] ${name}\\b`).test(code)

/** A regular expression after a sign or word that a value may follow; after a value, the slash divides. */
const regularExpression = /(?:[=(,:[!&|?{};>]|return)\s*(\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/[\\\n])+\/)/g

/** The names in each regular expression that has two or more of them, as `/^(tor|vpn)$/` has: one may be an ordinary word. */
function namesInExpressions(code: string, names: readonly string[]): string[] {
  return [...code.matchAll(regularExpression)].flatMap(([, expression = '']) => {
    const found = names.filter((name) => new RegExp(`\\b${name}\\b`).test(expression))
    return found.length > 1 ? found : []
  })
}
