// The person came back and has proved who they are: where to now, and with what?

import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { claimProved } from '../storage/sign-ins.ts'
import type { Proof } from './channel.ts'
import { backToApp } from './redirect-url.ts'
import { hashOfCode, newReturnCode, refuseUnlessOpen, type SignIn, sealProof } from './transaction.ts'

/**
 * Keeps the proof for whoever began the sign-in, and answers the address of the app, with a code by which the user is fetched
 * once. Of several returns at once one wins; the others are refused with `signInOver`.
 */
export async function leadBack(signIn: SignIn, proof: Proof, platform: Platform): Promise<string> {
  const { redirectUrl, transactionId } = signIn.content
  return backToApp(redirectUrl!, transactionId, { code: await keepProof(signIn, proof, platform) })
}

/** The same where nobody is led back, as the person signs in on another device. */
export async function keepProof({ record }: SignIn, proof: Proof, platform: Platform): Promise<string> {
  const { clock, database, tenantKeyring } = platform
  const now = clock.now()
  refuseUnlessOpen(record, now)
  const keys = await tenantKeyring.keysOf(record.tenantId)
  const { idHash } = record
  const code = newReturnCode(idHash)
  if (!(await claimProved(database, idHash, hashOfCode(code), sealProof(keys, idHash, proof), now))) {
    throw new Refusal('signInOver')
  }
  return code
}
