// What was measured? Reads one figure from the tables of docs/benchmarks.md, so that no number is written twice.

import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8')

/** The median of a row. @throws Error when the page has no such benchmark, table or row */
export function measured(benchmark: string, table: string, row: string, unit: string): number {
  const block = blockOf(benchmark)
  const from = block.indexOf(`### ${table}`)
  const text = from < 0 ? '' : block.slice(from + 4).split(/^### /m)[0]!
  const [head = '', , ...lines] = text.split('\n').filter((line) => line.startsWith('|'))
  const [, common] = /^\| what, in (.+?) *\|/.exec(head) ?? []
  for (const line of lines) {
    const [, what, ...cells] = line.split('|').map((cell) => cell.trim())
    const [inUnit, median = ''] = common === undefined ? cells : [common, ...cells]
    if (what === row && inUnit === unit) return Number(median.replaceAll(',', ''))
  }
  throw new Error(`docs/benchmarks.md has no row "${row}" (${unit}) under "${table}" of ${benchmark}`)
}

/** The cores of the machine that a benchmark was measured on. */
export function coresOf(benchmark: string): number {
  const cores = /^Measured .* on (\d+) cores/m.exec(blockOf(benchmark))?.[1]
  if (cores === undefined) throw new Error(`docs/benchmarks.md names no machine for ${benchmark}`)
  return Number(cores)
}

function blockOf(benchmark: string): string {
  const begin = `<!-- bench:${benchmark} -->`
  const from = page.indexOf(begin)
  if (from < 0) throw new Error(`docs/benchmarks.md has no benchmark ${benchmark}`)
  return page.slice(from, page.indexOf('<!-- /bench -->', from))
}
