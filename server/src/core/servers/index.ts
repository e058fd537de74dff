import type { StoreKeyring } from '../crypto/keyring.ts'
import { feature, given } from '../feature.ts'
import { dropRequestCountsBefore } from '../storage/servers/request-counts.ts'
import type { Addresses, ServersDoor } from './room.ts'
import { dropDeadServers } from './servers.ts'

/** The keys of the store, for what belongs to no tenant. */
export const keyring = given<StoreKeyring>().as('keyring')

export const servers = given<ServersDoor>().as('servers')

export const addresses = feature({
  name: 'addresses',
  needs: [],
  open({ settings }): Addresses {
    let listening: string | undefined
    const base = () => {
      const address = settings.baseUrl ?? listening
      if (address === undefined) throw new Error('the service does not listen yet, and BASE_URL is not set')
      return address
    }
    return {
      base,
      auth: () => settings.authUrl ?? base(),
      listensAt(url) {
        listening = url
      },
    }
  },
}).with({
  upkeep: {
    'request counts': ({ database, clock }) => dropRequestCountsBefore(database, clock.now()),
    servers: dropDeadServers,
  },
})
