import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { root } from '../release/server-bundle.ts'

/** Names that only their own file can use, and that it uses nowhere. The compilers do not warn of them. */
function unusedIn(code: string): string[] {
  const text = code.replaceAll(/^\s*(?:\/\/|\/?\*).*$|\s\/\/ .*$/gm, '')
  const declaration =
    /\b(?:private|fileprivate)\b(?:\(set\))?(?: (?:const|static|final|lateinit|inline|suspend|mutating|companion|data|fun(?= interface)))*\s+(?:val|var|let|fun|func|class|struct|enum|object|interface)\s+(?:<.*?>\s*)?(?:[\w<>?, ]+\.)?(\w+)|\bconst val (\w+)/g
  const names = [...text.matchAll(declaration)]
    .filter(({ index }) => !/\bpublic $/.test(text.slice(0, index)))
    .map(([, name, constant]) => name ?? constant!)
  return names.filter((name) => name !== 'object' && text.match(new RegExp(`\\b${name}\\b`, 'g'))!.length < 2)
}

test('no private member of the phone SDKs, and no constant of one file, is unused', () => {
  const files = globSync('{android,ios/Sources,react-native,examples/android-login}/**/*.{kt,swift}', { cwd: root })
  assert.ok(files.length > 150)
  const unused = files.flatMap((file) =>
    unusedIn(readFileSync(`${root}${file}`, 'utf8')).map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(unused, [])
})

test('finds an unused member by its name, and not in a comment', () => {
  const kotlin = `
private const val ATTEMPTS = 2 // ATTEMPTS of a call
private const val LIMIT = 3
class A(private val clock: Clock) {
  private fun <Value> orNull(): Value? = null
  private companion object { const val LATE = 1 }
  fun run() = clock.now() + LIMIT
}
private fun String.trimmed() = trim()
public const val SDK_VERSION = "1"
`
  assert.deepEqual(unusedIn(kotlin), ['ATTEMPTS', 'orNull', 'LATE', 'trimmed'])
  const swift = `
  private static let name = "signIns"
  private(set) var made = 0
  fileprivate mutating func read() {}
  func text() { name }
`
  assert.deepEqual(unusedIn(swift), ['made', 'read'])
})
