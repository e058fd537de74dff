// What can a test do in a tenant? Read messages, visit with pages and phones, and receive webhooks.

import { randomUUID } from 'node:crypto'
import { type Inbox, inbox } from './inbox.ts'
import type { Started } from './service-process.ts'
import { androidPhoneOf, browserOf, type Circumstance, type PlayedApp, phoneOf } from './visitors/devices.ts'
import { visitor } from './visitors/visitor.ts'
import type { AndroidAttestation, Visitor } from './visits.ts'
import { type Webhooks, webhooks } from './webhooks.ts'

export interface PageOptions {
  /** A name of your choice: the same name is the same device, in each test and run. Default: a new device. */
  readonly device?: string
  /** IP address from which it calls. Default: this machine. */
  readonly address?: string
  /** Whether a program drives the browser. */
  readonly automated?: boolean
  /** The facts of the browser of this name, without its key: what a thief has who copied a profile or a fingerprint. */
  readonly copyOf?: string
}

export interface PhoneOptions {
  /** Default: IOS. */
  readonly platform?: 'IOS' | 'ANDROID'
  /** What is on an Android phone while its owner uses the app, such as a call. Default: nothing. */
  readonly during?: readonly Circumstance[]
  /** What the hardware of an Android phone says of it and of your app. Default: `hardware`. */
  readonly attests?: AndroidAttestation
  /** A name of your choice: the same name is the same phone. Default: a new phone. */
  readonly device?: string
  /** IP address from which it calls. Default: this machine. */
  readonly address?: string
}

/** Own data, own client, own app: nothing that a test does in it is seen in another tenant. */
export interface Tenant extends Callers, Webhooks {}

/** Who calls a service, and what it sent to them. */
export interface Callers extends Inbox {
  /** Of the service. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** Of an app for pages of localhost, and for a phone. */
  readonly appId: string
  /** The same four as the variables that examples and guides read: RINGFENCE_URL and so on. */
  readonly env: Readonly<Record<TenantVariable, string>>
  /** A browser that opens a page of yours. */
  page(options?: PageOptions): Visitor
  /** An iPhone or Android phone with your app. */
  phone(options?: PhoneOptions): Visitor
}

export type TenantVariable = 'RINGFENCE_URL' | 'RINGFENCE_CLIENT_ID' | 'RINGFENCE_CLIENT_SECRET' | 'RINGFENCE_APP_ID'

export type CallerAccess = Pick<Started, 'url' | 'clientId' | 'clientSecret' | 'appId'> &
  Partial<Pick<Started, 'attestationRoot'>> & {
    /** What made-up Android phones run. */
    readonly app?: PlayedApp | undefined
  }
export type TenantAccess = CallerAccess & Pick<Started, 'sandboxUrl' | 'tenantId'>

export const tenantOf = (access: TenantAccess): Tenant => ({ ...callersOf(access), ...webhooks(access) })

/** Of any service that shows its messages: `ringfence serve --sandbox`, too. */
export function callersOf({ url, clientId, clientSecret, appId, attestationRoot, app }: CallerAccess): Callers {
  const received = inbox({ url, clientId, clientSecret })
  const service = { url, appId, inbox: received }
  const named = (device: string = randomUUID()) => ({ name: device, owner: appId })
  return {
    ...received,
    ...{ url, clientId, clientSecret, appId },
    env: {
      RINGFENCE_URL: url,
      RINGFENCE_CLIENT_ID: clientId,
      RINGFENCE_CLIENT_SECRET: clientSecret,
      RINGFENCE_APP_ID: appId,
    },
    page({ device, address, automated = false, copyOf } = {}) {
      const its = { ...named(copyOf ?? device), isAutomated: automated, isCopy: copyOf !== undefined }
      return visitor(service, browserOf(its), address)
    },
    phone({ platform = 'IOS', during, attests, device, address } = {}) {
      const ofAndroid = { during, attests, attestationRoot, app }
      const its = platform === 'IOS' ? phoneOf(named(device)) : androidPhoneOf(named(device), ofAndroid)
      return visitor(service, its, address)
    },
  }
}
