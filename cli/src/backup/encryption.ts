// How is a backup encrypted? As an age file (age-encryption.org/v1), with a passphrase or for recipients. `age` opens it too.

import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { CommandFailed, unreadable } from '../failure.ts'
import { type DecryptionOptions, type EncryptionOptions, passphraseVariable } from './options.ts'

const leastPassphrase = 12

export interface Encryption {
  encrypter: Encrypter
  /** Opens what `encrypter` makes, to verify it. */
  decrypter: Decrypter
}

/** A new backup is verified by opening it, so it is also encrypted for an identity that only this process has. */
export async function encryptionOf({ recipient = [], passphraseFile }: EncryptionOptions): Promise<Encryption> {
  const encrypter = new Encrypter()
  const decrypter = new Decrypter()
  if (recipient.length > 0) {
    if (passphraseFile)
      throw new CommandFailed('give either --recipient or --passphrase-file: age allows only one of them')
    for (const each of recipient) addRecipient(encrypter, each)
    const identity = await generateX25519Identity()
    encrypter.addRecipient(await identityToRecipient(identity))
    decrypter.addIdentity(identity)
    return { encrypter, decrypter }
  }
  const passphrase = await passphraseOf(passphraseFile, { twice: true })
  if (passphrase.length < leastPassphrase) {
    throw new CommandFailed(
      `the passphrase must have at least ${leastPassphrase} characters: generate one, for example with openssl rand -base64 24`,
    )
  }
  encrypter.setPassphrase(passphrase)
  decrypter.addPassphrase(passphrase)
  return { encrypter, decrypter }
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient)
  } catch (cause) {
    throw new CommandFailed(`--recipient ${recipient} is not a recipient of age (age1…): age-keygen makes one`, {
      cause,
    })
  }
}

export async function decrypterOf({ identity, passphraseFile }: DecryptionOptions): Promise<Decrypter> {
  const decrypter = new Decrypter()
  if (identity === undefined) {
    decrypter.addPassphrase(await passphraseOf(passphraseFile, { twice: false }))
    return decrypter
  }
  const lines = textOf(identity)
    .split('\n')
    .map((line) => line.trim())
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (identities.length === 0)
    throw new CommandFailed(`${identity} has no line AGE-SECRET-KEY-…: name the file that age-keygen wrote`)
  for (const each of identities) decrypter.addIdentity(each)
  return decrypter
}

/** Never from an option: every user of the machine can see the options of a process. */
async function passphraseOf(file: string | undefined, { twice }: { twice: boolean }): Promise<string> {
  if (file !== undefined) return textOf(file).replace(/\r?\n$/, '')
  const fromEnvironment = process.env[passphraseVariable]
  if (fromEnvironment) return fromEnvironment
  if (!process.stdin.isTTY) {
    throw new CommandFailed(
      `a backup is encrypted: set ${passphraseVariable}, or name a file with --passphrase-file, or ${twice ? 'a recipient with --recipient age1…' : 'an identity with --identity FILE'}`,
    )
  }
  const first = await promptFor('Passphrase: ')
  if (twice && (await promptFor('Once more: ')) !== first)
    throw new CommandFailed('the two passphrases differ: try again')
  return first
}

async function promptFor(question: string): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await prompt.question('')
  } finally {
    prompt.close()
    process.stderr.write('\n')
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw unreadable(file, error)
  }
}
