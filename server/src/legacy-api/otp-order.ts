// Which sign-in belongs to an order id of a backend? No app and no session started it.

import { appSettings } from '../apps/app-settings.ts'
import type { Call } from '../clients/call.ts'
import { Refusal } from '../core/errors.ts'
import { findTenant } from '../core/storage/tenants.ts'
import type { SignInContext } from '../sign-in/authentication/sign-in-context.ts'
import { idHashOf, openSignIn, type SignIn } from '../sign-in/authentication/transaction.ts'
import { findSignIn } from '../sign-in/store/sign-ins.ts'
import type { LegacyApiNeeds } from './room.ts'

/** The caller chooses the order id, so it can be guessed. The transaction id cannot. */
export async function transactionIdOf(orderId: string, tenantId: string, needs: LegacyApiNeeds): Promise<string> {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  return Buffer.from(keys.hash(`otp order ${orderId}`)).toString('base64url')
}

/** The order in the caller's tenant, or undefined. */
export async function findOrder(orderId: string, call: Call, needs: LegacyApiNeeds): Promise<SignIn | undefined> {
  const { tenantId } = call.caller
  const record = await findSignIn(needs.database, idHashOf(await transactionIdOf(orderId, tenantId, needs)))
  return record?.tenantId === tenantId ? openSignIn(record, needs) : undefined
}

/** Refuses with `orderUnknown`. */
export async function orderOf(orderId: string, call: Call, needs: LegacyApiNeeds): Promise<SignIn> {
  const order = await findOrder(orderId, call, needs)
  if (!order) throw new Refusal('orderUnknown')
  return order
}

/** A backend can query operators itself, so there is no gate; it may use every channel. */
const orderSettings = appSettings({})

/**
 * A backend orders OTPs without an app and without a session. `clientId` takes the app's place:
 * limits apply to it. The IP address and headers of the backend are left out, as they are not the
 * person's.
 */
export async function contextOfOrder(clientId: string, call: Call, needs: LegacyApiNeeds): Promise<SignInContext> {
  const { requestId, signal, provenance } = call
  const { tenantId } = call.caller
  const tenant = await findTenant(needs.database, tenantId)
  return {
    requestId,
    signal,
    provenance,
    tenantId,
    appId: clientId,
    appName: tenant?.name ?? '',
    settings: orderSettings,
    origins: [],
  }
}
