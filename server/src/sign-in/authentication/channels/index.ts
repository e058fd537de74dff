// Which kinds of sign-in channel exist? One line each.

import type { ChannelKind } from '../channel.ts'
import { camaraOtp } from './camara-otp.ts'
import { httpGateway } from './http-gateway.ts'
import { oauth2 } from './oauth2.ts'
import { oidc } from './oidc.ts'
import { outboxChannel } from './outbox-channel.ts'
import { smpp } from './smpp.ts'
import { smtp } from './smtp.ts'

export const channelKinds: readonly ChannelKind[] = [smpp, httpGateway, camaraOtp, smtp, oidc, oauth2, outboxChannel]
