// Do the scripts for AWS KMS and Vault keep the contract? With programs that take the arguments of `aws` and `vault`, and encrypt.

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { atEnd } from '../../../testing/at-end.ts'
import { wrapCommand } from './command.ts'
import { keyFromEnvironment } from './env.ts'
import { checkProvider } from './provider-contract.ts'

/** Exits with 1, as the real programs do, when the arguments are others than those of the documentation of their makers. */
const program = (body: string) => `#!${process.execPath}
const { createCipheriv, createDecipheriv, randomBytes } = require('node:crypto')
const { readFileSync } = require('node:fs')
const key = Buffer.alloc(32, 7)
const encrypt = (plain) => {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}
const decrypt = (blob) => {
  const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, 12)).setAuthTag(blob.subarray(-16))
  return Buffer.concat([decipher.update(blob.subarray(12, -16)), decipher.final()])
}
const words = process.argv.slice(2)
const fail = (why) => { console.error(why); process.exit(1) }
${body}`

const aws = program(`
const [service, action, ...rest] = words
const options = Object.fromEntries(rest.flatMap((word, i) => (i % 2 ? [] : [[word, rest[i + 1]]])))
const bytes = (name) => readFileSync((options[name] ?? '').replace(/^fileb:\\/\\//, ''))
if (service !== 'kms' || options['--key-id'] !== 'alias/ringfence' || options['--output'] !== 'text') fail('arguments')
const results = {
  encrypt: () => ({ CiphertextBlob: encrypt(bytes('--plaintext')) }),
  decrypt: () => ({ Plaintext: decrypt(bytes('--ciphertext-blob')) }),
}
console.log((results[action]()[options['--query']] ?? fail('no such field')).toString('base64'))`)

const vault = program(`
const [write, field, path, given] = words
const [name, ...value] = (given ?? '').split('=')
if (write !== 'write') fail('arguments')
if (field === '-field=ciphertext' && path === 'transit/encrypt/ringfence' && name === 'plaintext')
  process.stdout.write('vault:v1:' + encrypt(Buffer.from(value.join('='), 'base64')).toString('base64'))
else if (field === '-field=plaintext' && path === 'transit/decrypt/ringfence' && name === 'ciphertext')
  process.stdout.write(decrypt(Buffer.from(value.join('=').replace('vault:v1:', ''), 'base64')).toString('base64'))
else fail('arguments')`)

for (const [script, name, content, settings] of [
  ['aws-kms', 'aws', aws, 'AWS_KMS_KEY=alias/ringfence'],
  ['vault-transit', 'vault', vault, 'VAULT_KEY=ringfence'],
] as const) {
  const provider = async (t: TestContext) => {
    const folder = await mkdtemp(join(tmpdir(), 'ringfence-kms-'))
    atEnd(t, () => rm(folder, { recursive: true }))
    await writeFile(join(folder, name), content)
    await chmod(join(folder, name), 0o755)
    const path = fileURLToPath(new URL(`../../../../../deploy/master-key/${script}`, import.meta.url))
    return wrapCommand(`env PATH='${folder}':"$PATH" ${settings} '${path}'`)
  }
  checkProvider(script, provider, () => keyFromEnvironment(Buffer.alloc(32).toString('base64')))
}
