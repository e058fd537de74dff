// What do the tests of backups share?

import assert from 'node:assert/strict'
import { Encrypter } from 'age-encryption'
import type { CommandLine } from '../testing.ts'

/** Of every backup and restore. */
export const env = { BACKUP_PASSPHRASE: 'correct horse battery' }

/** Commands that a test calls in its own process derive a key within milliseconds, in place of two seconds. */
const { setPassphrase } = Encrypter.prototype
Encrypter.prototype.setPassphrase = function setQuickPassphrase(this: Encrypter, passphrase: string): void {
  setPassphrase.call(this, passphrase)
  this.setScryptWorkFactor(10)
}

/** The credentials of a new store. */
export async function issued({ run }: CommandLine, environment: Record<string, string> = {}) {
  const { stdout, stderr } = await run(['init', '--json'], { env: environment })
  assert.equal(stderr, '')
  return JSON.parse(stdout) as { clientId: string; clientSecret: string }
}

/** How a service answers a check with these credentials. */
export const statusWith = async (
  url: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
) => {
  const headers = { clientId, clientSecret, 'content-type': 'application/json' }
  const body = JSON.stringify({ phoneNumber: '61491570110' })
  return (await fetch(`${url}/v1/telecom/sim-swap-check`, { method: 'POST', headers, body })).status
}
