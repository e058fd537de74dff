// Do test files that install packages at once wait for each other? With a program in place of apt-get.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { whyNotInstalled } from './debian-packages.ts'

const skip = (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) && 'packages are installed as root on Debian'

test('one installation at a time: apt-get update fails while another one runs', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-apt-'))
  t.after(() => rm(folder, { recursive: true }))
  const alone = '#!/bin/sh\nmkdir "$0.runs" || exit 100\nsleep 0.1\nrmdir "$0.runs"\n'
  await writeFile(join(folder, 'apt-get'), alone, { mode: 0o755 })
  const { PATH } = process.env
  process.env.PATH = `${folder}:${PATH}`
  const installing = ['one', 'two', 'three'].map((name) => whyNotInstalled(name))
  process.env.PATH = PATH
  assert.deepEqual(await Promise.all(installing), [undefined, undefined, undefined])
})
