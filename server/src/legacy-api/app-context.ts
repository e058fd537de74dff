// Who signs in when a backend calls on behalf of one of its apps?

import type { App } from '../apps/app.ts'
import type { Call } from '../clients/call.ts'
import type { SignInContext } from '../sign-in/authentication/sign-in-context.ts'

/** No session, IP address or headers: those of a backend say nothing about the person. */
export function contextOfApp(app: App, { requestId, signal, provenance }: Call): SignInContext {
  return {
    requestId,
    signal,
    provenance,
    tenantId: app.tenantId,
    appId: app.id,
    appName: app.name,
    settings: app.settings,
    origins: app.origins,
  }
}
