// Which kinds of sign-in channel are there? One line each.

import type { ChannelKind } from '../channel.ts'

export const channelKinds: readonly ChannelKind[] = []
