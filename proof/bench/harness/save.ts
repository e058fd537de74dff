// How do measured tables get into docs/benchmarks.md? They replace the block between the two marks of their benchmark.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { forPage, type Table, tableText } from './harness.ts'

const root = path.join(import.meta.dirname, '..', '..', '..')

/** Read before the first table is saved: a saved table is itself a change of the tree. */
const commit = execFileSync('git', ['describe', '--always', '--dirty'], {
  encoding: 'utf8',
  cwd: import.meta.dirname,
}).trim()

/** Whether docs/benchmarks.md has a place for the tables of this benchmark. */
export const hasBlock = (name: string): boolean =>
  fs.readFileSync(path.join(root, 'docs/benchmarks.md'), 'utf8').includes(`<!-- bench:${name} -->`)

/** Replaces the tables of this benchmark, without rows that only the command prints. Throws when the page has no block for them. */
export function saveTables(name: string, tables: readonly Table[]): void {
  saveBlock('docs/benchmarks.md', `bench:${name}`, forPage(tables).map(tableText), '<!-- /bench -->')
}

/** Replaces the text between two marks on a page. Throws when the page lacks the marks. */
export function saveBlock(page: string, name: string, lines: readonly string[], end = `<!-- /${name} -->`): void {
  const begin = `<!-- ${name} -->`
  const file = path.join(root, page)
  const text = fs.readFileSync(file, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`${page} lacks ${begin} … ${end}: add the two lines`)
  const measured = [`Measured ${new Date().toISOString().slice(0, 10)} at ${commit} on ${machine()}.`, '', ...lines]
  fs.writeFileSync(file, `${text.slice(0, from)}${begin}\n${measured.join('\n')}${text.slice(to)}`)
}

function machine(): string {
  const cpus = os.cpus()
  return `${cpus.length} cores (${cpus[0]?.model.trim()}), Node ${process.versions.node}`
}
