// Which source files import each other in a circle? Imports of types count: they tie files together for a reader all the same.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The relative imports and re-exports of one file, as paths like its own. */
function importsOf(file: string, text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"](\.{1,2}\/[^'"]+)['"]/gms)
  // `import('./x.ts').Type` names a type, and `await import('./x.ts')` breaks a circle at run time; both tie the files together.
  const specifiers = [...statements, ...text.matchAll(/\bimport\(\s*['"](\.{1,2}\/[^'"]+)['"]\s*\)/g)]
  return specifiers.map(([, specifier]) => join(dirname(file), specifier!))
}

/**
 * The groups of files that reach each other through imports: the strongly connected components with more than one file
 * (Tarjan 1972). `root`: the folder that `files` are relative to.
 */
export function importCircles(root: string, files: readonly string[]): string[][] {
  const known = new Set(files)
  const targets = new Map(
    files.map((file) => [
      file,
      importsOf(file, readFileSync(join(root, file), 'utf8')).filter((target) => known.has(target)),
    ]),
  )
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []

  function visit(file: string): void {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    path.push(file)
    for (const target of targets.get(file)!) {
      if (!order.has(target)) visit(target)
      if (path.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const circle = path.splice(path.indexOf(file))
    if (circle.length > 1) circles.push(circle.toSorted())
  }
  for (const file of files) if (!order.has(file)) visit(file)
  return circles
}
