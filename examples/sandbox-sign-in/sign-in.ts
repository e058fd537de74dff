// How does a made-up person sign in? A device visits a page, and the backend issues a token for the user, as after a code.

import { Ringfence } from '@ringfence/node'
import { sdkClientOf } from '@ringfence/server/testing/sdk-client.ts'
import { deviceNamed } from './devices.ts'

export interface MadeUpSignIn {
  readonly userId: string
  /** Where the code went: a phone number, as digits with country code, or an email address. */
  readonly to: string
  /** Any name: the same name is the same device. Absent: a sign-in without a device. */
  readonly device?: string | undefined
}

export interface Service {
  readonly url: string
  readonly appId: string
  readonly clientId: string
  readonly clientSecret: string
}

/** What a page would send to its backend. Throws when the service refuses a call. */
export async function signIn(
  { userId, to, device }: MadeUpSignIn,
  { url, appId, clientId, clientSecret }: Service,
): Promise<{ token: string; dfrId?: string }> {
  const visit = device && (await visitOf(device, { url, appId }))
  const isEmail = to.includes('@')
  const { token } = await new Ringfence({ baseUrl: url, clientId, clientSecret }).issueToken({
    userId,
    identities: [
      {
        identityType: isEmail ? 'EMAIL' : 'MOBILE',
        identityValue: to,
        channel: 'OTP',
        methods: [isEmail ? 'EMAIL' : 'SMS'],
        verified: true,
        verifiedAt: new Date().toISOString(),
      },
    ],
    ...(visit && { requestId: visit.requestId }),
  })
  return { token, ...(visit && { dfrId: visit.dfrId }) }
}

async function visitOf(name: string, { url, appId }: Pick<Service, 'url' | 'appId'>) {
  const { facts, headers, key } = deviceNamed(name, appId)
  const client = await sdkClientOf({ id: appId }, { url }, { packageName: 'http://localhost:3000', headers, key })
  return client.fingerprint(facts)
}
