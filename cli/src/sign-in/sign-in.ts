// How does a made-up person sign in? As a real one: a page sends its device and asks for a code, the sandbox shows it, the person enters it.

import { Ringfence } from '@ringfence/node'
import { CommandFailed } from '../failure.ts'
import { deviceNamed } from './made-up-device.ts'
import { openPage, type Recipient } from './page.ts'

export interface MadeUpSignIn {
  /** Who gets the code: digits with country code, or an email address. */
  readonly identity: Recipient
  /** Any name: the same name is the same device. Absent: a sign-in without a device. */
  readonly device?: string | undefined
}

export interface Service {
  readonly url: string
  readonly appId: string
  readonly clientId: string
  readonly clientSecret: string
}

/** What the page sends to its backend. */
export interface SignedIn {
  readonly token: string
  readonly dfrId?: string
}

/** Throws a PageRefused, CommandFailed or RingfenceError when the person cannot sign in. */
export async function signIn({ identity, device: name }: MadeUpSignIn, service: Service): Promise<SignedIn> {
  const { url, appId } = service
  const device = name === undefined ? undefined : deviceNamed(name, appId)
  const page = await openPage({ url, appId, ...(device && { headers: device.headers }) })
  const visited = device && (await page.sendDevice(device))
  const { transactionId } = await page.startSignIn(identity, visited)
  const { token } = await page.verify(transactionId, await codeSentTo(identity, service))
  return { token, ...(visited && { dfrId: visited.dfrId }) }
}

async function codeSentTo({ value }: Recipient, { url, clientId, clientSecret }: Service): Promise<string> {
  const ringfence = new Ringfence({ baseUrl: url, clientId, clientSecret })
  const { messages } = await ringfence.readShownMessages({ to: value.toLowerCase() })
  const code = /^\d{4,10}\b/.exec(messages[0]?.text ?? '')?.[0]
  if (code !== undefined) return code
  throw new CommandFailed(
    `no code was sent to ${value}: the telecom gate of the app may hold it back, or a channel of your own sends it`,
  )
}
