// The person came back with a proof. Where do they go next, and with which code?

import { Refusal } from '../../core/errors.ts'
import { claimProved } from '../store/sign-ins.ts'
import type { Proof } from './channel.ts'
import { backToApp } from './redirect-url.ts'
import type { SignInNeeds } from './room.ts'
import { hashOfCode, newReturnCode, refuseUnlessOpen, type SignIn, sealProof } from './transaction.ts'

/**
 * Stores the proof and returns the app's redirect URL with a single-use code, which older server SDKs expect as `code`. If several returns
 * arrive at once, one wins and the others are refused with `signInOver`.
 */
export async function redirectWithCode(signIn: SignIn, proof: Proof, needs: SignInNeeds): Promise<string> {
  const { redirectUrl, transactionId, codeClient } = signIn.content
  const code = await storeProof(signIn, proof, needs)
  return backToApp(redirectUrl!, transactionId, codeClient === undefined ? { ringfence_code: code } : { code })
}

/**
 * Stores the proof and returns its code. Enough when nobody is led back, because the person signs
 * in on another device.
 */
export async function storeProof({ record }: SignIn, proof: Proof, needs: SignInNeeds): Promise<string> {
  const { clock, database, tenantKeyring, metrics } = needs
  const now = clock.now()
  refuseUnlessOpen(record, now)
  const keys = await tenantKeyring.keysOf(record.tenantId)
  const { idHash } = record
  const code = newReturnCode(idHash)
  if (!(await claimProved(database, idHash, hashOfCode(code), sealProof(keys, idHash, proof), now))) {
    throw new Refusal('signInOver')
  }
  metrics.count('signInSteps', 'returned', record.channel)
  return code
}
