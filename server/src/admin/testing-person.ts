// How does a test call the admin API as a person? In a session, with its cookie and CSRF token.

import { randomUUID } from 'node:crypto'
import { consoleCookie } from '@ringfence/contract'
import type { TestService } from '../testing/test-service.ts'
import { emailHash, sealPerson } from './people/person.ts'
import { csrfTokenOf } from './people/sessions.ts'
import { insertPerson, putPersonRole } from './store/people.ts'
import { type AdminCaller, callAdmin } from './testing.ts'

/** Calls in the session of a new person of the tenant. */
export async function adminPerson(service: TestService, role: string, tenantId?: string): Promise<AdminCaller> {
  const token = await sessionOfPerson(service, role, tenantId)
  const headers = { cookie: `${consoleCookie}=${token}`, 'x-ringfence-csrf': csrfTokenOf(token) }
  return (name, fields, others) => callAdmin(service.url, name, fields, { ...headers, ...others })
}

/** @returns the token of the session of a new person, for its cookie */
export function sessionOfPerson(
  {
    parts: {
      database,
      keyring,
      admin: { people },
    },
    clock,
    tenantId: own,
  }: TestService,
  role: string,
  tenantId = own,
): Promise<string> {
  const id = randomUUID()
  const email = `${id}@shop.example`
  const content = { name: 'Maya', email, password: '' as never, totpSecret: '' }
  const createdAt = clock.now()
  const sealed = sealPerson(id, content, keyring)
  return database.transaction(async (tx) => {
    const person = { id, emailHash: emailHash(email, keyring), sealed, lastCodeStep: 0, createdAt }
    await insertPerson(tx, person)
    await putPersonRole(tx, { person, tenantId, role, createdAt })
    return people.sessions.start(tx, id)
  })
}
