// How does a test sign a person in? It starts a service with an outbox, an app and an SDK session.

import { endpoints } from '@ringfence/contract'
import type { App } from '../../../apps/app.ts'
import type { Database } from '../../../core/storage/database.ts'
import type { Ending } from '../../../testing/at-end.ts'
import { createApp, type SdkClient, sdkClient, shopOrigin } from '../../../testing/sdk-client.ts'
import {
  startTestService,
  type TestAnswer,
  type TestService,
  type TestServiceOptions,
} from '../../../testing/test-service.ts'

/** A verifier and its challenge. (RFC 7636, appendix B) */
export const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** The sandbox has no special result for this number. */
export const mobile = { type: 'MOBILE', value: '917020141726' } as const
export const email = { type: 'EMAIL', value: 'ada@shop.example' } as const
export const redirectUrl = `${shopOrigin}/signed-in?from=mail`

export const outboxChannels = {
  sms: { type: 'outbox', recipient: 'MOBILE' },
  mail: { type: 'outbox', recipient: 'EMAIL' },
} as const

export interface SignInService extends TestService {
  app: App
  client: SdkClient
  start(changes?: object, as?: SdkClient): Promise<TestAnswer>
  resend(transactionId: string, as?: SdkClient): Promise<TestAnswer>
  verify(transactionId: string, proof: object, as?: SdkClient): Promise<TestAnswer>
  status(transactionId: string, as?: SdkClient): Promise<TestAnswer>
  /** The OTP of the latest message in the outbox. */
  otp(): string
  /** The link of the latest message in the outbox. */
  link(): URL
}

export interface SignInOptions extends TestServiceOptions {
  channels?: Readonly<Record<string, { type: string }>>
  app?: object
}

export async function startSignInService(
  t: Ending,
  database: Database,
  { channels = outboxChannels, app: appSettings = {}, edit = (parts) => parts, ...options }: SignInOptions = {},
): Promise<SignInService> {
  const service = await startTestService(t, database, { ...options, edit: (parts) => edit({ ...parts, channels }) })
  const app = await createApp(service, { name: 'shop', settings: appSettings })
  const client = await sdkClient(service, { app })
  const last = () => service.parts.signIn.outbox.messages().at(-1)?.text ?? ''
  return {
    ...service,
    app,
    client,
    start: (changes = {}, as = client) =>
      as.post(endpoints.signInStart.path, { channel: 'OTP', identity: mobile, codeChallenge, ...changes }),
    resend: (transactionId, as = client) => as.post(endpoints.signInResend.path, { transactionId }),
    verify: (transactionId, proof, as = client) =>
      as.post(endpoints.signInVerify.path, { transactionId, ...('code' in proof && { codeVerifier }), ...proof }),
    status: (transactionId, as = client) => as.post(endpoints.signInStatus.path, { transactionId }),
    otp: () => /^(\d{4,10})\b/.exec(last())?.[1] ?? '',
    link: () => new URL(/https?:\S+/.exec(last())?.[0] ?? 'http://none.example'),
  }
}

/** A wrong OTP of the same length. */
export const anotherOtp = (otp: string) => String((Number(otp) + 1) % 10 ** otp.length).padStart(otp.length, '0')

/** What a browser does with a magic link: GET, then the POST of the form. Does not follow the redirect. */
export async function pressButton(link: URL): Promise<{ page: string; response: Response }> {
  const page = await (await fetch(link)).text()
  const response = await fetch(new URL(link.pathname, link), {
    method: 'POST',
    body: new URLSearchParams({ code: link.searchParams.get('code') ?? '' }),
    redirect: 'manual',
  })
  return { page, response }
}
