// Which failures can the server return? Found by the compiler, so that a name in a comment or in another sense does not count.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const nameType = 'export type FailureName = keyof typeof failures\n'

/** TS2367: two values are compared that never are equal. A comparison reads a failure and returns none. */
const isComparison = /\berror TS2367:/

/**
 * Compiles a copy of server/src in which no string is a failure's name: every place that names one is then an error, and the
 * error quotes the name. `root`: the folder of the repository.
 */
export function thrownFailures(root: string): Set<string> {
  const copy = mkdtempSync(join(tmpdir(), 'ringfence-failures-'))
  try {
    const isSource = (file: string) => !/\.test\.ts$|\/(testing|testdata|dist|node_modules)$/.test(file)
    for (const folder of ['server/src', 'contract/src'])
      cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: isSource })
    for (const modules of ['node_modules', 'server/node_modules'].filter((path) => existsSync(join(root, path)))) {
      symlinkSync(join(root, modules), join(copy, modules))
    }
    cpSync(join(root, 'server/package.json'), join(copy, 'server/package.json'))
    const failures = join(copy, 'contract/src/failures/failures.ts')
    const text = readFileSync(failures, 'utf8')
    if (!text.includes(nameType)) throw new Error(`contract/src/failures/failures.ts lacks the line ${nameType}`)
    writeFileSync(failures, text.replace(nameType, "export type FailureName = 'no failure at all'\n"))
    writeFileSync(
      join(copy, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { paths: { '@ringfence/contract': [join(copy, 'contract/src/index.ts')] } },
        include: ['server/src'],
      }),
    )
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '-p', copy], { encoding: 'utf8' })
    const refused = stdout
      .split('\n')
      .filter(
        (line) => line.includes('"no failure at all"') && !line.includes('/errors.ts(') && !isComparison.test(line),
      )
    return new Set(refused.flatMap((line) => [...line.matchAll(/"(\w+)"/g)].map(([, name]) => name!)))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
