// Can a tenant read what happened at another tenant? By search, also with the other tenant's cursor.

import { endpoints } from '@ringfence/contract'
import type { RecordKind } from './records.ts'

const { searchEvents, issueToken, revokeToken } = endpoints

export const eventRecords: readonly RecordKind[] = [
  {
    endpoint: searchEvents.path,
    what: 'events, and the cursor of a search',
    async plant(owner, service) {
      const credentials = { ...owner.credentials }
      const identities = [
        { identityType: 'MOBILE', identityValue: owner.phoneNumber, channel: 'OTP', methods: ['SMS'], verified: false },
      ]
      for (const userId of ['first', 'second']) {
        const { token } = (await service.post(issueToken.path, { userId, identities }, credentials)).body
        await service.post(revokeToken.path, { token }, credentials)
      }
      const types = ['token.revoked']
      const first = (await service.post(searchEvents.path, { types, limit: 1 }, credentials)).body
      if (first.nextCursor === undefined) throw new Error(`the owner finds ${JSON.stringify(first)}`)
      const { tokenId } = first.events[0].data
      return async (other) => {
        const search = async (body: object) =>
          JSON.stringify((await service.post(searchEvents.path, body, { ...other.credentials })).body)
        const own = await search({ types, limit: 100 })
        const byCursor = await search({ types, limit: 1, cursor: first.nextCursor })
        if (own.includes(tokenId)) return own
        return byCursor.includes('errorCode') ? undefined : byCursor
      }
    },
  },
]
