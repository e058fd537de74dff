import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { environmentOf } from '@ringfence/server/core/config/settings.ts'

const run = promisify(execFile)
const unit = join(import.meta.dirname, '../../deploy/systemd/ringfence.service')
const mostExposure = 2

const version = Number(
  /^systemd (\d+)/.exec(spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1],
)
const skip = version >= 250 ? false : 'systemd-analyze 250 or later is not installed'

test('systemd accepts the unit, and finds nothing to warn of', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-unit-'))
  t.after(() => rm(folder, { recursive: true }))
  const program = join(folder, 'ringfence')
  await writeFile(program, '#!/bin/sh\n')
  await chmod(program, 0o755)
  const text = (await readFile(unit, 'utf8')).replace('/opt/ringfence/bin/ringfence', program)
  const verify = async (content: string) => {
    await writeFile(join(folder, 'ringfence.service'), content)
    const { stdout, stderr } = await run('systemd-analyze', [
      'verify',
      '--man=no',
      join(folder, 'ringfence.service'),
    ]).catch((error) => error)
    return stdout + stderr
  }
  assert.equal(await verify(text), '')
  assert.match(await verify(text.replace('NoNewPrivileges=', 'NoNewPrivilege=')), /NoNewPrivilege/)
})

test(`the exposure of the unit is at most ${mostExposure}`, { skip }, async () => {
  const { stdout } = await run('systemd-analyze', [
    'security',
    '--offline=true',
    `--threshold=${mostExposure * 10}`,
    unit,
  ])
  const [, exposure] = /Overall exposure level for ringfence\.service: ([\d.]+)/.exec(stdout) ?? []
  assert.ok(Number(exposure) <= mostExposure, stdout)
})

test('every environment variable of the unit is a setting', async () => {
  const lines = (await readFile(unit, 'utf8')).matchAll(/^Environment=(.*)$/gm)
  const names = [...lines].flatMap(([, words = '']) => words.split(' ').map((word) => word.split('=', 1)[0]!))
  assert.ok(names.length >= 3)
  for (const name of names) assert.ok(Object.values(environmentOf).includes(name), name)
})

test('the unit starts again however long the database is away, and may write the audit log of the guide', async () => {
  const text = await readFile(unit, 'utf8')
  const [before = ''] = text.split('[Service]')
  assert.match(before, /^StartLimitIntervalSec=0$/m, 'five starts in ten seconds would be the last')
  assert.match(text, /^Restart=on-failure$/m)
  const written = { StateDirectory: '/var/lib', LogsDirectory: '/var/log' }
  const folders = Object.entries(written).flatMap(([name, at]) => {
    const [, own] = new RegExp(`^${name}=(.+)$`, 'm').exec(text) ?? []
    return own === undefined ? [] : [join(at, own)]
  })
  const guide = await readFile(join(import.meta.dirname, '../../docs/guides/monitoring.md'), 'utf8')
  const [, auditLog = ''] = /AUDIT_LOG=([^`\s]+)/.exec(guide) ?? []
  assert.ok(folders.includes(dirname(auditLog)), `${auditLog} is in none of ${folders}`)
})
