// Which channels may a sign-in go by? Those of the configuration file that the app offers.

import type { App } from '../apps/app.ts'
import type { Config } from '../config/config.ts'
import { openKind } from '../config/open-kind.ts'
import { Refusal } from '../errors.ts'
import type { Channel, ChannelResources, MessageChannel, RecipientType, RedirectChannel } from './channel.ts'
import { channelKinds } from './channels/index.ts'

/** The app, as far as its settings choose channels. */
type AppChannels = { readonly settings: Pick<App['settings'], 'channels'> }

export interface Channels {
  /** The app's first channel for messages of this method; without a method, of its only one. Refuses with `channelUnavailable`. */
  forMessages(app: AppChannels, recipient: RecipientType, method: string | undefined): MessageChannel
  /** The app's provider of this name. Refuses with `channelUnavailable`. */
  forRedirect(app: AppChannels, method: string | undefined): RedirectChannel
  /** By its name in the configuration file, for a redirect that comes back. */
  named(name: string): Channel | undefined
  close(): Promise<void>
}

/** Whoever operates the service reads this before anybody else does. */
const nothingOffered = 'none (no channel of the configuration file that the app may use delivers there)'

/** Throws a ConfigurationError that names the key. Connects to nobody yet. */
export function openChannels(configured: Config['channels'], resources: ChannelResources): Channels {
  const channels = Object.entries(configured).map(([name, entry]) =>
    openKind('channels', name, entry, channelKinds, resources),
  )

  function choose<Chosen extends Channel>(
    app: AppChannels,
    fits: (channel: Channel) => channel is Chosen,
    method?: string,
  ) {
    const offered = channels.filter(({ name }) => app.settings.channels?.includes(name) ?? true).filter(fits)
    const [first, ...others] = offered.filter((channel) => method === undefined || channel.method === method)
    if (first && others.every((channel) => channel.method === first.method)) return first
    const methods = [...new Set(offered.map((channel) => channel.method))].join(', ') || nothingOffered
    throw new Refusal('channelUnavailable', { methods })
  }

  return {
    forMessages: (app, recipient, method) =>
      choose(
        app,
        (channel): channel is MessageChannel => channel.form === 'message' && channel.recipient === recipient,
        method,
      ),
    forRedirect: (app, method) =>
      choose(app, (channel): channel is RedirectChannel => channel.form === 'redirect', method),
    named: (name) => channels.find((channel) => channel.name === name),
    async close() {
      await Promise.all(channels.map((channel) => channel.close?.()))
    },
  }
}
