import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sourcesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.swift'))
    .map((file) => join(folder, file))
/** The code without comments, and with empty strings. */
const codeOf = (file: string) =>
  readFileSync(join(root, file), 'utf8')
    .replaceAll(/\/\/.*/g, '')
    .replaceAll(/"(?:\\.|[^"\\\n])*"/g, '""')

/** Syntax newer than Swift 5.5, as far as a pattern finds it. By version, with an example line. */
const newerGrammar: readonly (readonly [version: string, pattern: RegExp, example: string])[] = [
  ['5.6', /\bany [A-Z]/, 'let service: any AppAttestService'],
  ['5.6', /#unavailable\b/, 'if #unavailable(iOS 15) {'],
  ['5.6', /@preconcurrency\b/, '@preconcurrency import Foundation'],
  [
    '5.7',
    /\b(if|guard|while) (let|var) \w+\s*(,|\{|else\b)|,\s+(let|var) \w+\s*(\{|else\b)/,
    'guard let value else { return }',
  ],
  ['5.7', /[(,:] *some [A-Z]/, 'func take(_ values: some Collection) {'],
  ['5.7', /#\/|[=(,] *\/[^/*\s]/, 'let digits = /[0-9]+/'],
  ['5.7', /\bdistributed (actor|func)\b/, 'distributed actor Sessions {'],
  ['5.8', /^\s*#(if|else).*\n\s*@/m, '#if os(iOS)\n  @objc\n#endif'],
  ['5.9', /(=|\breturn|\bin) (if|switch)\b/, 'let word = if late { 1 } else { 2 }'],
  ['5.9', /\brepeat each\b|\beach [A-Z]/, 'func all<each Value>(_ values: repeat each Value) {'],
  ['5.9', /~Copyable|\b(borrowing|consuming) |\bconsume \w/, 'struct Token: ~Copyable {'],
  ['5.9', /\bpackage (func|let|var|struct|class|enum|protocol|actor|init|static|final)\b/, 'package func ask() {'],
  ['5.10', /\bnonisolated\(unsafe\)/, 'nonisolated(unsafe) var state = 0'],
  ['6.0', /\bthrows\(/, 'func ask() throws(ServiceError) {'],
  ['6.0', /^\s*(public|internal|private|fileprivate|package) import /m, 'internal import Foundation'],
  ['6.0', /\bsending [A-Z]|@retroactive\b/, 'func take(_ value: sending Value) {'],
  ['6.1', /,\s*\)/, 'ask(\n  path,\n)'],
]
const newerIn = (code: string) =>
  newerGrammar.flatMap(([version, pattern]) => (pattern.test(code) ? [`Swift ${version}: ${pattern}`] : []))

test('uses only the grammar of Swift 5.5', () => {
  for (const [version, pattern, example] of newerGrammar) {
    assert.ok(newerIn(example).includes(`Swift ${version}: ${pattern}`), example)
  }
  assert.match(readFileSync(join(root, 'Package.swift'), 'utf8'), /^\/\/ swift-tools-version:5\.5$/m)
  const files = ['Package.swift', ...sourcesOf('ios/Sources'), ...sourcesOf('examples/ios-login')]
  assert.ok(files.length > 50)
  for (const file of files) {
    assert.deepEqual(newerIn(codeOf(file)), [], file)
    assert.notEqual(basename(file), 'main.swift', 'top-level await needs Swift 5.7')
  }
})

/** APIs for which Apple requires a reason, by the category of a privacy manifest. */
const apisWithReasons: Readonly<Record<string, RegExp>> = {
  FileTimestamp: /\.(creationDate|modificationDate|contentModificationDate\w*)\b|\b[fl]?stat(at)?\(|\bf?getattrlist/,
  DiskSpace: /systemFreeSize|systemSize|volume\w*Capacity\w*|\bf?statv?fs\(/,
  SystemBootTime: /systemUptime|mach_absolute_time|mach_continuous_time|KERN_BOOTTIME|kern\.boottime/,
  UserDefaults: /\bUserDefaults\b/,
  ActiveKeyboards: /activeInputModes/,
}
const manifestOf = (product: string) =>
  readFileSync(join(root, 'ios/Sources', product, 'PrivacyInfo.xcprivacy'), 'utf8')
const categoriesOf = (manifest: string) =>
  [...manifest.matchAll(/<string>NSPrivacyAccessedAPICategory(\w+)</g)].map(([, name]) => name)
const usedBy = (folder: string) =>
  Object.keys(apisWithReasons).filter((name) =>
    sourcesOf(folder).some((file) => apisWithReasons[name]?.test(readFileSync(join(root, file), 'utf8'))),
  )

test('uses an API that needs a reason only where the product’s privacy manifest gives it', () => {
  assert.deepEqual(usedBy('ios/Sources/RingfenceCore'), [], 'the core is linked into products that declare no reason')
  assert.deepEqual(usedBy('ios/Sources/HeadlessAuthentication'), [])
  assert.deepEqual(categoriesOf(manifestOf('HeadlessAuthentication')), [])
  // Boot time is used for timers only: Apple does not allow sending it.
  assert.deepEqual(usedBy('ios/Sources/DeviceIntelligence'), ['FileTimestamp', 'DiskSpace', 'UserDefaults'])
  assert.deepEqual(categoriesOf(manifestOf('DeviceIntelligence')), [
    'FileTimestamp',
    'DiskSpace',
    'SystemBootTime',
    'UserDefaults',
  ])
})

test('has privacy manifests in both products that deny tracking and name the collected data', () => {
  const collected = (product: string) =>
    [...manifestOf(product).matchAll(/<string>NSPrivacyCollectedDataType(?!Purpose)(\w+)</g)].map(([, name]) => name)
  assert.deepEqual(collected('DeviceIntelligence'), [
    'DeviceID',
    'PreciseLocation',
    'UserID',
    'PhoneNumber',
    'OtherDataTypes',
  ])
  assert.deepEqual(collected('HeadlessAuthentication'), ['PhoneNumber', 'EmailAddress', 'OtherDataTypes'])
  for (const product of ['DeviceIntelligence', 'HeadlessAuthentication']) {
    assert.match(manifestOf(product), /<key>NSPrivacyTracking<\/key>\s*<false\/>/)
    const target = new RegExp(
      `path: "ios/Sources/${product}",\\s*resources: \\[\\.copy\\("PrivacyInfo\\.xcprivacy"\\)\\]`,
    )
    assert.match(readFileSync(join(root, 'Package.swift'), 'utf8'), target)
  }
})

test('has a file for each device probe, and reads each probe', () => {
  const folder = 'ios/Sources/DeviceIntelligence/Probes'
  const list = codeOf(join(folder, 'DeviceProbes.swift'))
  const probes = sourcesOf(folder).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^ *let (\w+) = Probe\("(\w+)"\)/gm)].map(
      ([, constant = '', name = '']) => ({ file, constant, name }),
    ),
  )
  assert.ok(probes.length > 15)
  for (const { file, constant, name } of probes) {
    assert.equal(constant, name, file)
    assert.equal(basename(file, '.swift').toLowerCase(), name.toLowerCase())
    assert.match(list, new RegExp(`\\b${name}\\b`), `${name} is not in deviceProbes, so it is never read`)
  }
})

test('4.7 rule 4: never asks for location itself', () => {
  const asks = /request(WhenInUse|Always)Authorization|requestLocation|startUpdatingLocation|requestTemporaryFull/
  assert.deepEqual(
    sourcesOf('ios/Sources').filter((file) => asks.test(codeOf(file))),
    [],
  )
})
