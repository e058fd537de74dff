// Can a tenant see, link or move another tenant's users? By their id, their number and their token.

import { endpoints, type OutboxMessages } from '@ringfence/contract'
import type { TestService } from '../../../../server/src/testing/test-service.ts'
import type { RecordKind, Tenant } from './records.ts'
import { signedIn } from './sign-ins.ts'

const { linkUser, unlinkUser, mergeUsers, listIdentities, readShownMessages } = endpoints
const idOf = ({ phoneNumber }: Tenant) => `customer-${phoneNumber}`

type Attempt = (other: Tenant, token: string) => Promise<string | undefined>

/** The owner's user keeps its identity, whatever the other tenant does. */
const ownUser = (
  path: string,
  attempt: (service: TestService, userId: string, owner: Tenant) => Attempt,
): RecordKind => ({
  endpoint: path,
  what: 'identities of a user',
  async plant(owner, service) {
    const userId = idOf(owner)
    const { token } = await signedIn(owner, service)
    const linked = await service.post(linkUser.path, { token, userId }, { ...owner.credentials })
    if (linked.status !== 200) throw new Error(`the owner's link is answered ${JSON.stringify(linked.body)}`)
    return async (other) => {
      const seen = await attempt(service, userId, owner)(other, token)
      if (seen !== undefined) return seen
      const { body } = await service.post(listIdentities.path, { userId }, { ...owner.credentials })
      const stays = body.identities.some(({ value }: { value: string }) => value === owner.phoneNumber)
      return stays ? undefined : 'the identity of the owner is gone'
    }
  },
})

export const userRecords: readonly RecordKind[] = [
  ownUser(linkUser.path, (service, userId) => async ({ credentials }, token) => {
    const { status, body } = await service.post(linkUser.path, { token, userId }, { ...credentials })
    return status === 400 ? undefined : JSON.stringify(body)
  }),
  ownUser(listIdentities.path, (service, userId) => async ({ credentials }) => {
    const { body } = await service.post(listIdentities.path, { userId }, { ...credentials })
    return body.identities.length === 0 ? undefined : JSON.stringify(body)
  }),
  ownUser(unlinkUser.path, (service, userId, { phoneNumber: value }) => async ({ credentials }) => {
    const request = { userId, identity: { type: 'MOBILE', value } }
    const { status, body } = await service.post(unlinkUser.path, request, { ...credentials })
    return status === 404 ? undefined : JSON.stringify(body)
  }),
  ownUser(mergeUsers.path, (service, userId) => async ({ credentials }) => {
    const { body } = await service.post(mergeUsers.path, { userId, into: 'customer-2' }, { ...credentials })
    return body.persons === 0 && body.devices === 0 ? undefined : JSON.stringify(body)
  }),
  {
    endpoint: readShownMessages.path,
    what: 'code that a sandbox shows',
    async plant(owner, service) {
      service.parts.signIn.outbox.show()
      await signedIn(owner, service)
      const { text: own } = service.parts.signIn.outbox.messages().at(-1)!
      return async ({ credentials }) => {
        const answer = await fetch(`${service.url}${readShownMessages.path}`, { headers: { ...credentials } })
        const { messages } = (await answer.json()) as OutboxMessages
        return messages.some(({ text }) => text === own) ? own : undefined
      }
    },
  },
]
