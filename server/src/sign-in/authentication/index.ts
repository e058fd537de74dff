import { endpoints } from '@ringfence/contract'
import { apps } from '../../apps/index.ts'
import { bots } from '../../bots/index.ts'
import { clients } from '../../clients/index.ts'
import { feature } from '../../core/feature.ts'
import { heavyWork } from '../../core/heavy-work/index.ts'
import { formPage, handle, page } from '../../core/rows.ts'
import { addresses, keyring } from '../../core/servers/index.ts'
import { telemetry } from '../../core/telemetry/index.ts'
import { device } from '../../device/index.ts'
import { compression } from '../../device/store/index.ts'
import { ip } from '../../ip/index.ts'
import { telecom } from '../../telecom/index.ts'
import { singleFlight } from '../../upstream/single-flight.ts'
import { idTokens } from '../identity-tokens/index.ts'
import { oauthCallback } from './callback.ts'
import { magicLinkPath } from './messages/deliver.ts'
import { magicLinkFollowed, magicLinkPage } from './messages/magic-link.ts'
import { outbox as openOutbox } from './messages/outbox.ts'
import { recentDeliveries } from './messages/recent-deliveries.ts'
import { shownMessages } from './messages/shown-messages.ts'
import { openChannels } from './open-channels.ts'
import type { SignInDoor } from './room.ts'
import { resendSignIn, signInStatus, startSignIn, verifySignIn } from './sdk-calls.ts'
import { dropExpiredSignIns } from './sign-in-retention.ts'
import { callbackPath } from './start-by-redirect.ts'

export const signIn = feature({
  name: 'signIn',
  needs: [telemetry, addresses, apps, bots, clients, device, compression, heavyWork, idTokens, ip, keyring, telecom],
  open({ config, clock, log, readSecret, metrics, atClose }, { telemetry: { tracing } }): SignInDoor {
    const outbox = openOutbox()
    const channels = openChannels(config.channels, { clock, log, readSecret, tracing, metrics, outbox })
    atClose(channels.close)
    return { channels, outbox, starts: singleFlight(), recentDeliveries: recentDeliveries() }
  },
}).with({
  rows: [
    handle(endpoints.signInStart, startSignIn),
    handle(endpoints.signInResend, resendSignIn),
    handle(endpoints.signInVerify, verifySignIn),
    handle(endpoints.signInStatus, signInStatus),
    handle(endpoints.readShownMessages, async ({ to }, { caller: { tenantId } }, needs) =>
      shownMessages(needs.signIn.outbox, tenantId, to),
    ),
    page(magicLinkPath, 'person', magicLinkPage),
    formPage(magicLinkPath, magicLinkFollowed),
    page(`${callbackPath}/{connection}`, 'person', (needs, query, _, { connection = '' }) =>
      oauthCallback(needs, query, connection),
    ),
  ],
  upkeep: {
    'sign-ins': dropExpiredSignIns,
  },
})
