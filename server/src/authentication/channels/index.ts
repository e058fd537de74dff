// Which kinds of sign-in channel are there? One line each.

import type { ChannelKind } from '../channel.ts'
import { oauth2 } from './oauth2.ts'
import { oidc } from './oidc.ts'

export const channelKinds: readonly ChannelKind[] = [oidc, oauth2]
