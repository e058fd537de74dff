// How does the page make and use a passkey? The browser asks the person; what it returns goes to the service as it is.

import type { AddPasskeyRequest, PasskeyCreation, PasskeyRequest, SignInWithPasskeyRequest } from './types.ts'

/** Browsers have passkeys on https and localhost only, and not at an IP address. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  !/^[\d.]+$|^\[/.test(location.hostname)

/** The browser made or used no passkey. */
export class PasskeyFailed extends Error {}

/** @throws PasskeyFailed */
export async function makePasskey(options: PasskeyCreation['options']): Promise<AddPasskeyRequest['credential']> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const { id, rawId, type, response } = await credentialBy(() => navigator.credentials.create({ publicKey }))
  const { clientDataJSON, attestationObject, transports } = response as AddPasskeyRequest['credential']['response']
  return {
    ...{ id, rawId, type },
    response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
  }
}

/** @throws PasskeyFailed */
export async function askForPasskey(
  options: PasskeyRequest['options'],
): Promise<SignInWithPasskeyRequest['credential']> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const { id, rawId, type, response } = await credentialBy(() => navigator.credentials.get({ publicKey }))
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    response as SignInWithPasskeyRequest['credential']['response']
  return {
    ...{ id, rawId, type },
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) },
  }
}

interface CredentialJson {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: object
}

async function credentialBy(ask: () => Promise<Credential | null>): Promise<CredentialJson> {
  try {
    const credential = await ask()
    if (credential instanceof PublicKeyCredential) return credential.toJSON() as CredentialJson
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    throw new PasskeyFailed(reasons[name] ?? reasons.NotAllowedError)
  }
  throw new PasskeyFailed(reasons.NotAllowedError)
}

const reasons: Readonly<Record<string, string>> & { readonly NotAllowedError: string } = {
  NotAllowedError: 'No passkey was used: the browser’s question was closed, or took too long.',
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: 'Passkeys work only at the public URL of the service (BASE_URL).',
  NotSupportedError: 'This device cannot make a passkey of the kind that is needed.',
}
