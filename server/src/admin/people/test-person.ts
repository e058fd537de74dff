// How does a test call the admin API as one of several people? Each in a session of a new person, without the steps of a sign-in.

import { randomUUID } from 'node:crypto'
import { consoleCookie } from '@ringfence/contract'
import type { TestService } from '../../testing/test-service.ts'
import { insertPerson, putPersonRole } from '../store/people.ts'
import { type AdminCaller, callAdmin } from '../testing.ts'
import { emailHash, type Person, sealPerson } from './person.ts'
import { csrfTokenOf } from './sessions.ts'

export interface TestPerson {
  readonly personId: string
  /** Of the session, for the cookie of a browser. */
  readonly token: string
  readonly call: AdminCaller
}

export async function personWith(
  { parts: needs, tenantId, clock, url }: TestService,
  role: string,
  name: string,
): Promise<TestPerson> {
  const {
    database,
    keyring,
    admin: { people },
  } = needs
  const personId = randomUUID()
  const email = `${name.toLowerCase()}@shop.example`
  const createdAt = clock.now()
  const sealed = sealPerson(personId, { name, email } as Person, keyring)
  await database.transaction(async (tx) => {
    const person = { id: personId, emailHash: emailHash(email, keyring), sealed, lastCodeStep: 0, createdAt }
    await insertPerson(tx, person)
    await putPersonRole(tx, { person, tenantId, role, createdAt })
  })
  const token = await database.transaction((tx) => people.sessions.start(tx, personId))
  const headers = { cookie: `${consoleCookie}=${token}`, 'x-ringfence-csrf': csrfTokenOf(token) }
  return { personId, token, call: (each, fields, more) => callAdmin(url, each, fields, { ...headers, ...more }) }
}
