// Does deploy/master-key/pkcs11 keep the contract with a real PKCS#11 library? SoftHSM is one, in software.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { whyMissing } from '../../../../../scripts/debian-packages.ts'
import { atEnd } from '../../../testing/at-end.ts'
import { wrapCommand } from './command.ts'
import { keyFromEnvironment } from './env.ts'
import { checkProvider } from './provider-contract.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../../../../../deploy/master-key/pkcs11', import.meta.url))
const library = '/usr/lib/softhsm/libsofthsm2.so'
const isThere = () => existsSync(library) && existsSync('/usr/bin/pkcs11-tool')
const advice = await whyMissing(isThere, 'softhsm2', 'opensc')

if (!isThere()) test('an HSM wraps the key of the store', { skip: `SoftHSM is missing: ${advice}` })
else checkProvider('pkcs11', hsm, () => keyFromEnvironment(Buffer.alloc(32).toString('base64')))

async function hsm(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-hsm-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'tokens'))
  await writeFile(join(folder, 'softhsm2.conf'), `directories.tokendir = ${folder}/tokens\n`)
  const env = {
    PATH: process.env.PATH,
    SOFTHSM2_CONF: join(folder, 'softhsm2.conf'),
    PKCS11_MODULE: library,
    PKCS11_TOKEN: 'bank',
    PKCS11_PIN: '1234',
    PKCS11_HASH: 'SHA-1',
  }
  const token = ['--init-token', '--free', '--label', 'bank', '--pin', '1234', '--so-pin', '5678']
  await run('softhsm2-util', token, { env })
  const pair = ['--login', '--pin', '1234', '--keypairgen', '--key-type', 'rsa:2048', '--label', 'ringfence']
  await run('pkcs11-tool', ['--module', library, '--token-label', 'bank', ...pair], { env })
  const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  return wrapCommand(`env ${settings.join(' ')} ${script}`)
}
