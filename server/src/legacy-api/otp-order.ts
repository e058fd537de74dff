// Which OTP is meant by an order id of a backend? Its sign-in, which no app and no session began.

import type { App } from '../apps/app.ts'
import { appSettings } from '../apps/app-settings.ts'
import { idHashOf, openSignIn, type SignIn } from '../authentication/transaction.ts'
import type { Call, SessionCall } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { findSignIn } from '../storage/sign-ins.ts'
import { findTenant } from '../storage/tenants.ts'

/** An order id is the caller's own choice, and can be guessed; the transaction id under which it is kept cannot. */
export async function transactionOf(orderId: string, tenantId: string, platform: Platform): Promise<string> {
  const keys = await platform.tenantKeyring.keysOf(tenantId)
  return Buffer.from(keys.hash(`otp order ${orderId}`)).toString('base64url')
}

/** The order of the caller's tenant, if there is one. */
export async function findOrder(orderId: string, call: Call, platform: Platform): Promise<SignIn | undefined> {
  const { tenantId } = call.caller
  const record = await findSignIn(platform.database, idHashOf(await transactionOf(orderId, tenantId, platform)))
  return record?.tenantId === tenantId ? openSignIn(record, platform) : undefined
}

/** Refuses with `orderUnknown`. */
export async function orderOf(orderId: string, call: Call, platform: Platform): Promise<SignIn> {
  const order = await findOrder(orderId, call, platform)
  if (!order) throw new Refusal('orderUnknown')
  return order
}

/**
 * The call as a sign-in takes it. A client stands for an app that offers every channel and asks nothing of the operator, as its
 * backend can ask itself; limits count for it. The backend's address is not the person's.
 */
export async function callForOrder(
  orderId: string,
  clientId: string,
  call: Call,
  platform: Platform,
): Promise<SessionCall> {
  const { requestId, correlator, signal, provenance } = call
  const { tenantId } = call.caller
  const tenant = await findTenant(platform.database, tenantId)
  const app: App = {
    id: clientId,
    tenantId,
    name: tenant?.name ?? '',
    origins: [],
    bundleIds: [],
    packageNames: [],
    settings: appSettings({}),
  }
  const session = {
    id: `order ${orderId}`,
    key: new Uint8Array(),
    app,
    platform: 'WEB',
    packageName: '',
    expiresAt: Number.POSITIVE_INFINITY,
  } as const
  const nothingOfThePerson = { address: undefined, headers: {}, deviceCookie: { token: undefined } }
  return { requestId, correlator, signal, provenance, ...nothingOfThePerson, app, session }
}
