// Do the examples in the docs compile? Their Swift and Objective-C blocks, as files that ios-typecheck.sh checks.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = ['README.md', 'docs/guides/ios.md', 'docs/reference/ios-sdk.md', 'examples/ios-login/README.md']

/** Code blocks of a page in one language, unchanged; without Package.swift entries, which are no app code. */
function codeBlocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))]
    .map(([, code = '']) => code)
    .filter((code) => !code.startsWith('.package('))
}

/** Imports go to the top of a file, everything else into a function. */
function wrapped(code: string, isImport: RegExp, opening: string): string {
  const lines = code.split('\n')
  const imports = lines.filter((line) => isImport.test(line))
  const body = lines.filter((line) => !isImport.test(line))
  return [...new Set(imports), opening, ...body, '}', ''].join('\n')
}

const prelude = 'import DeviceIntelligence\nimport HeadlessAuthentication'

/** Writes `BlockN.swift` and `BlockN.m` into an empty folder, and a Swift file with what the examples expect from the app. */
function writeCodeBlocks(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'App.swift'), '/// To the backend.\nfunc send(_ text: String) {}\n')
  const blocks = (language: string) =>
    pages.flatMap((page) => codeBlocks(readFileSync(join(root, page), 'utf8'), language))
  if (blocks('swift').length === 0) throw new Error('the docs contain no Swift')
  for (const [index, code] of blocks('swift').entries()) {
    const text = wrapped(`${prelude}\n${code}`, /^import /, `@MainActor func block${index}() async throws {`)
    writeFileSync(join(folder, `Block${index}.swift`), text)
  }
  for (const [index, code] of blocks('objc').entries()) {
    writeFileSync(join(folder, `Block${index}.m`), wrapped(code, /^@import /, `void block${index}(void) {`))
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeCodeBlocks(process.argv[2] ?? '')
