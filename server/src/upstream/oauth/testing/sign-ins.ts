// Which sign-ins use an authorization server? Those that a test of all of them goes through, each with an honest and a hostile server.

import type { TestContext } from 'node:test'
import * as oidc from 'openid-client'
import { personWith } from '../../../admin/people/test-person.ts'
import { browserOf } from '../../../admin/people/testing.ts'
import { begin, call, discovered, listRedirectUrl } from '../../../camara-front/testing/phone-client.ts'
import type { Database } from '../../../core/storage/database.ts'
import { outboxChannels, startSignInService } from '../../../sign-in/authentication/testing/sign-in-service.ts'
import { sdkClient, shopReturnUrls } from '../../../testing/sdk-client.ts'
import type { TestServiceOptions } from '../../../testing/test-service.ts'
import { type AuthorizationServer, clientId, startAuthorizationServer } from './authorization-server.ts'

export const names = ['honest', 'hostile'] as const
export type Name = (typeof names)[number]

export interface SignIn {
  readonly servers: Readonly<Record<Name, AuthorizationServer>>
  /** What is registered at each of them. */
  readonly callbackUrls: Readonly<Record<Name, string>>
  /** What they have in common, without the name of a connection: nothing comes back there. */
  readonly sharedUrl: string
  /** The person begins. @returns where the browser or phone is sent */
  begin(at: Name): Promise<string>
  /** It comes back. @returns whether the person is signed in, or the phone verified */
  comeBack(to: URL): Promise<boolean>
}

export type OpenSignIn = (t: TestContext, database: Database, metadata?: object) => Promise<SignIn>

async function startServers(t: TestContext, metadata: object = {}): Promise<SignIn['servers']> {
  const [honest, hostile] = [await startAuthorizationServer(t), await startAuthorizationServer(t)]
  Object.assign(honest.metadata, metadata)
  return { honest, hostile }
}

const both = <Value>(make: (name: Name) => Value) => ({ honest: make('honest'), hostile: make('hostile') })

/** The clock of a service shows the time of the servers. */
const inRealTime = ({ clock }: { clock: { now(): number; advance(by: { ms: number }): unknown } }) =>
  clock.advance({ ms: Date.now() - clock.now() })

const consoleSignIn: OpenSignIn = async (t, database, metadata) => {
  const servers = await startServers(t, metadata)
  const service = await startSignInService(t, database, { settings: { ssoTargets: 'any', appRateBurst: 1000 } })
  inRealTime(service)
  const tenants = { honest: service.tenantId, hostile: (await service.parts.tenantKeyring.createTenant('eve')).id }
  const connections = { honest: '', hostile: '' }
  const callbackUrls = { honest: '', hostile: '' }
  for (const name of names) {
    const owner = await personWith({ ...service, tenantId: tenants[name] }, 'owner', name)
    const fields = { name, issuer: servers[name].url, clientId, roles: [{ group: 'fraud', role: 'admin' }] }
    const { body } = await owner.call('saveSso', fields, { 'if-match': '*' })
    connections[name] = body.connection.ssoId
    callbackUrls[name] = body.callbackUrl
  }
  const browser = browserOf(service)
  return {
    ...{ servers, callbackUrls, sharedUrl: `${service.url}/console/sso` },
    begin: async (at) => (await browser.call('startSso', { ssoId: connections[at] })).body.authorizationUrl,
    async comeBack({ pathname, searchParams }) {
      const [, ssoId] = pathname.split('/callback/')
      const fields = { ...Object.fromEntries(searchParams), ...(ssoId !== undefined && { ssoId }) }
      return (await browser.call('finishSso', fields)).status === 200
    },
  }
}

const identityProvider: OpenSignIn = async (t, database, metadata) => {
  const servers = await startServers(t, metadata)
  const channels = both((name) => ({ type: 'oidc', method: name.toUpperCase(), issuer: servers[name].url, clientId }))
  const service = await startSignInService(t, database, { channels: { ...outboxChannels, ...channels } })
  inRealTime(service)
  const client = await sdkClient(service, { app: service.app })
  const sharedUrl = `${service.url}/auth/v1/oauth/callback`
  const request = { channel: 'OAUTH', identity: undefined, redirectUrl: shopReturnUrls[1] }
  return {
    ...{ servers, sharedUrl, callbackUrls: both((name) => `${sharedUrl}/${name}`) },
    begin: async (at) => (await service.start({ ...request, method: at.toUpperCase() }, client)).body.authorizationUrl,
    async comeBack(to) {
      const response = await fetch(to, { redirect: 'manual' })
      return response.headers.get('location')?.includes('ringfence_code=') ?? false
    },
  }
}

/** Each of an operator of the sandbox. */
const numbers = { honest: '917020141722', hostile: '917020141720' }

const verifiedBy =
  (servers: SignIn['servers']): NonNullable<TestServiceOptions['edit']> =>
  (parts) => ({
    ...parts,
    connectors: both((name) => ({
      type: 'camara',
      baseUrl: servers[name].url,
      token: {
        ...{ endpoint: `${servers[name].url}/token`, clientId, authentication: 'client_secret_basic' },
        clientSecret: { env: 'SANDBOX_SECRET' },
      },
      sandbox: true,
      numberVerification: { authorizationEndpoint: `${servers[name].url}/authorize` },
    })),
    operators: [
      { id: '001-01', name: 'NORTH', connector: 'honest' },
      { id: '001-02', name: 'SOUTH', connector: 'hostile' },
    ],
  })

const most = 1000
const manySignIns = {
  ...{ messagesPerRecipientHour: most, messagesPerRecipientDay: most, messagesPerAddressHour: most },
  ...{ messagesPerAppHour: most, newNumbersPerRangeHour: most, newNumbersPerCountryHour: most },
  ...{ numberVerificationsPerHour: most, appRateBurst: 10_000 },
}

const phoneService = async (t: TestContext, database: Database) => {
  const servers = await startServers(t)
  const service = await startSignInService(t, database, { edit: verifiedBy(servers), settings: manySignIns })
  inRealTime(service)
  const sharedUrl = `${service.url}/auth/v1/number-verification/callback`
  return { service, servers, sharedUrl, callbackUrls: both((name) => `${sharedUrl}/${name}`) }
}

const numberVerification: OpenSignIn = async (t, database) => {
  const { service, servers } = await phoneService(t, database)
  const sharedUrl = 'https://shop.example/verified'
  const path = '/v1/telecom/number-verifications'
  const ids = new Map<string, string>()
  return {
    ...{ servers, sharedUrl, callbackUrls: both((name) => `${sharedUrl}/${name}`) },
    async begin(at) {
      const { body } = await service.post(path, { phoneNumber: numbers[at], redirectUri: `${sharedUrl}/{connector}` })
      ids.set(new URL(body.url).searchParams.get('state')!, body.verificationId)
      return body.url
    },
    async comeBack({ origin, pathname, searchParams }) {
      const fields = { ...Object.fromEntries(searchParams), redirectUri: origin + pathname }
      const { body } = await service.post(`${path}/${ids.get(searchParams.get('state')!)}/complete`, fields)
      return body.verified === true
    },
  }
}

const silentSignIn: OpenSignIn = async (t, database) => {
  const { service, ...urls } = await phoneService(t, database)
  const client = await sdkClient(service, { app: service.app })
  return {
    ...urls,
    async begin(at) {
      const identity = { type: 'MOBILE', value: numbers[at] }
      return (await service.start({ channel: 'SILENT', identity }, client)).body.authorizationUrl
    },
    comeBack: async (to) => (await (await fetch(to)).text()).includes('ringfence_code'),
  }
}

const camaraFront: OpenSignIn = async (t, database) => {
  const { service, ...urls } = await phoneService(t, database)
  await listRedirectUrl(service, {})
  const config = await discovered(service)
  const begun = new Map<string, Awaited<ReturnType<typeof begin>>>()
  return {
    ...urls,
    async begin(at) {
      const client = await begin(config, numbers[at])
      begun.set(client.checks.expectedState, client)
      return (await fetch(client.url, { redirect: 'manual' })).headers.get('location')!
    },
    async comeBack(to) {
      const location = (await fetch(to, { redirect: 'manual' })).headers.get('location')
      const back = URL.parse(location ?? '')
      const client = begun.get(back?.searchParams.get('state') ?? '')
      if (!back?.searchParams.has('code') || !client) return false
      const { access_token } = await oidc.authorizationCodeGrant(config, back, client.checks)
      const phoneNumber = client.url.searchParams.get('login_hint')!.slice('tel:'.length)
      return (await call(service.url, access_token, { phoneNumber })).body.devicePhoneNumberVerified === true
    },
  }
}

export const signIns = {
  'single sign-on of the console': consoleSignIn,
  'an identity provider of end users': identityProvider,
  'Number Verification of a backend': numberVerification,
  'a sign-in without a message': silentSignIn,
  'the CAMARA API': camaraFront,
}

/** Those whose servers have metadata. */
export const discovering = ['single sign-on of the console', 'an identity provider of end users'] as const
