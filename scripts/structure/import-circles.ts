// Which source files import each other in a circle? Imports of types count: they tie files together for a reader all the same.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The relative imports and re-exports of one file, as paths like its own. */
export function importsOf(file: string, text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"](\.{1,2}\/[^'"]+)['"]/gms)
  // `import('../x.ts').Type` names a type, and `await import('../x.ts')` breaks a circle at run time; both tie the files together.
  const specifiers = [...statements, ...text.matchAll(/\bimport\(\s*['"](\.{1,2}\/[^'"]+)['"]\s*\)/g)]
  return specifiers.map(([, specifier]) => join(dirname(file), specifier!))
}

/** The groups of files that reach each other through imports. `root`: the folder that `files` are relative to. */
export function importCircles(root: string, files: readonly string[]): string[][] {
  const known = new Set(files)
  return knots(files, (file) => importsOf(file, readFileSync(join(root, file), 'utf8')).filter((to) => known.has(to)))
}

/** The groups of names that reach each other: the strongly connected components with more than one name (Tarjan 1972). */
export function knots(names: readonly string[], targetsOf: (name: string) => readonly string[]): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const found: string[][] = []

  function visit(name: string): void {
    order.set(name, order.size)
    lowest.set(name, order.get(name)!)
    path.push(name)
    for (const target of targetsOf(name)) {
      if (!order.has(target)) visit(target)
      if (path.includes(target)) lowest.set(name, Math.min(lowest.get(name)!, lowest.get(target)!))
    }
    if (lowest.get(name) !== order.get(name)) return
    const knot = path.splice(path.indexOf(name))
    if (knot.length > 1) found.push(knot.toSorted())
  }
  for (const name of names) if (!order.has(name)) visit(name)
  return found
}
