// Which symbols do apps see of the iOS package? The same as in ios/golden, each with a documentation comment.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const golden = fileURLToPath(new URL('../ios/golden', import.meta.url))

/** Compares the Objective-C header and Swift interfaces in `folder` with ios/golden; `update` writes them there. Throws when they differ. */
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

/** The fields of a symbol graph that are read here, as `swiftc -emit-symbol-graph` writes it. */
interface SymbolGraph {
  module: { name: string }
  /** Symbols that the compiler made have no location. */
  symbols: { pathComponents: [string, ...string[]]; docComment?: object; location?: object }[]
}

/** Throws with the undocumented public symbols of the graphs in `folder`. */
export function checkDocumented(folder: string): void {
  const graphs = readdirSync(folder).filter((file) => file.endsWith('.symbols.json'))
  if (graphs.length === 0) throw new Error('no symbol graphs')
  const bare = graphs.flatMap((file) => {
    const { module, symbols } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as SymbolGraph
    // Apps do not import the core; they see its types, and use two of them.
    const isMet = (path: readonly [string, ...string[]]) =>
      module.name !== 'RingfenceCore' || path.length === 1 || ['UpdateInfo', 'IntelligenceError'].includes(path[0])
    return symbols
      .filter(({ pathComponents, docComment, location }) => !docComment && location && isMet(pathComponents))
      .map(({ pathComponents }) => `${module.name}: ${pathComponents.join('.')}`)
  })
  if (bare.length > 0) throw new Error(`public and without documentation:\n${bare.join('\n')}`)
}
