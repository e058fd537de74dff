import { feature } from '../feature.ts'
import { telemetry } from '../telemetry/index.ts'
import { singleFlight } from '../upstream/single-flight.ts'
import { outbox as openOutbox } from './messages/outbox.ts'
import { recentDeliveries } from './messages/recent-deliveries.ts'
import { openChannels } from './open-channels.ts'
import type { SignInDoor } from './room.ts'

export const signIn = feature({
  name: 'signIn',
  needs: [telemetry],
  open({ config, clock, log, readSecret, metrics, atClose }, { telemetry: { tracing } }): SignInDoor {
    const outbox = openOutbox()
    const channels = openChannels(config.channels, { clock, log, readSecret, tracing, metrics, outbox })
    atClose(channels.close)
    return { channels, outbox, starts: singleFlight(), recentDeliveries: recentDeliveries() }
  },
})
