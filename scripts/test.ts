// `npm test`: builds what tests need, then runs every test in one process; `npm test -- FILE…` runs some of them.

import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const given = process.argv.slice(2)
const files =
  given.length > 0 ? given : globSync('**/*.test.ts', { cwd: root, exclude: ['**/node_modules', '**/dist'] })

const reporters = ['spec', join(import.meta.dirname, 'skipped-tests.ts')]
const options = reporters.flatMap((name) => [`--test-reporter=${name}`, '--test-reporter-destination=stdout'])

await import('./prepare.ts')
const { status } = spawnSync(process.execPath, ['--test', '--test-isolation=none', ...options, ...files.toSorted()], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
