// What do apps see of the iOS package? As it was (ios/golden), and each symbol with a line that says what it is.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const golden = fileURLToPath(new URL('../ios/golden', import.meta.url))

/** Objective-C header and Swift interfaces in `folder` are those of ios/golden; `update` writes them there. Throws when they differ. */
export function checkSurface(folder: string, update: boolean): void {
  for (const file of readdirSync(folder)) {
    if (!/\.(h|swiftinterface)$/.test(file)) continue
    const now = readFileSync(join(folder, file), 'utf8')
    if (update) writeFileSync(join(golden, file), now)
    else if (now !== readFileSync(join(golden, file), 'utf8')) {
      spawnSync('diff', ['-u', join(golden, file), join(folder, file)], { stdio: 'inherit' })
      throw new Error(`ios/golden/${file} differs: apps would notice. If that is meant: npm run test:ios -- --update`)
    }
  }
}

/** What is read of a symbol graph, as `swiftc -emit-symbol-graph` writes it. */
interface SymbolGraph {
  module: { name: string }
  /** What the compiler made has no location. */
  symbols: { pathComponents: [string, ...string[]]; docComment?: object; location?: object }[]
}

/** Throws with the public symbols of the graphs in `folder` that have no documentation. */
export function checkDocumented(folder: string): void {
  const graphs = readdirSync(folder).filter((file) => file.endsWith('.symbols.json'))
  if (graphs.length === 0) throw new Error('no symbol graphs')
  const bare = graphs.flatMap((file) => {
    const { module, symbols } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as SymbolGraph
    // Apps do not import the core: of it, they meet its types, and use two of them.
    const isMet = (path: readonly [string, ...string[]]) =>
      module.name !== 'RingfenceCore' || path.length === 1 || ['UpdateInfo', 'IntelligenceError'].includes(path[0])
    return symbols
      .filter(({ pathComponents, docComment, location }) => !docComment && location && isMet(pathComponents))
      .map(({ pathComponents }) => `${module.name}: ${pathComponents.join('.')}`)
  })
  if (bare.length > 0) throw new Error(`public and without documentation:\n${bare.join('\n')}`)
}
