// How does a test call the admin API? With a client that has a role.

import { type AdminEndpointName, adminEndpoints, failures, pathFields } from '@ringfence/contract'
import type { TestAnswer, TestService } from '../testing/test-service.ts'

export type AdminCaller = (
  name: AdminEndpointName,
  fields?: object,
  headers?: Record<string, string>,
) => Promise<TestAnswer>

/** Calls in the name of a new client of the tenant. */
export async function adminClient(
  { parts: needs, url, tenantId: own }: TestService,
  role: string | null,
  { tenantId = own, scopes = 'admin' as string | null } = {},
): Promise<AdminCaller> {
  const restrictions = { scopes, allowedIps: null, expiresAt: null, role }
  const { clientId, clientSecret } = await needs.clients.createClient(tenantId, 'admin', restrictions)
  return (name, fields, headers) => callAdmin(url, name, fields, { clientId, clientSecret, ...headers })
}

export async function callAdmin(
  url: string,
  name: AdminEndpointName,
  fields: object = {},
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const { method, path } = adminEndpoints[name]
  const inPath = pathFields(path)
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => String(Reflect.get(fields, field)))
  const others = Object.entries(fields).filter(([field]) => !inPath.includes(field))
  const query = method === 'GET' && others.length > 0 ? `?${new URLSearchParams(others)}` : ''
  const response = await fetch(url + filled + query, {
    method,
    headers: { ...(method === 'POST' && { 'content-type': 'application/json' }), ...headers },
    ...(method === 'POST' && { body: JSON.stringify(Object.fromEntries(others)) }),
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream) await response.body!.cancel()
  const body = isStream ? undefined : asProblem(await response.json(), response.headers)
  return { status: response.status, headers: response.headers, body }
}

/** Endpoints that clients call too refuse in another format: tests compare the name of the failure in both. */
function asProblem(body: TestAnswer['body'], headers: Headers): TestAnswer['body'] {
  if (typeof body?.errorCode !== 'string') return body
  const { errorCode, message: title, description: detail } = body
  const found = Object.entries(failures).filter(([, each]) => each.errorCode === errorCode)
  const name = found.length === 1 ? found[0]![0] : detail.includes('JSON') ? 'invalidJson' : 'fieldInvalid'
  const type = `/problems/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return { type, title, detail, requestId: headers.get('x-request-id') }
}
