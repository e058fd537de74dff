// Which channel does a sign-in use? One of the configuration file that the app offers.

import type { App } from '../../apps/app.ts'
import { type Config, ConfigurationError } from '../../core/config/config.ts'
import { openKind } from '../../core/config/open-kind.ts'
import { Refusal } from '../../core/errors.ts'
import { checkCallbacks } from '../../upstream/oauth/callback-url.ts'
import type { Channel, ChannelResources, MessageChannel, RecipientType, RedirectChannel } from './channel.ts'
import { withoutAuthority } from './channels/identity-providers/authority.ts'
import { channelKinds } from './channels/index.ts'
import { refuseSharedSubjects } from './channels/oauth2.ts'

/** The app, as far as its settings choose channels. */
type AppChannels = { readonly settings: Pick<App['settings'], 'channels'> }

export interface Channels {
  /**
   * The app's first channel with this method, for a code or a link. Without a method, the app must offer only one.
   * Refuses with `channelUnavailable`.
   */
  forMessages(
    app: AppChannels,
    recipient: RecipientType,
    method: string | undefined,
    content?: 'code' | 'link',
  ): MessageChannel
  /** The same for identity providers. */
  forRedirect(app: AppChannels, method: string | undefined): RedirectChannel
  /** By name in the configuration file, for a person who comes back from an identity provider. */
  named(name: string): Channel | undefined
  /** Those of identity providers. */
  readonly redirecting: readonly RedirectChannel[]
  /** In the order of the configuration file, each with its kind. */
  all(): readonly { readonly channel: Channel; readonly type: string }[]
  /** Names of identity providers of which the operator has not said what they are authoritative for. */
  withoutAuthority(): readonly string[]
  close(): Promise<void>
}

/** Usually read by the operator who has not configured a channel yet. */
const nothingOffered = 'none (the configuration file has no channel for it that the app may use)'

/** Throws a ConfigurationError that names the key. Does not connect yet. */
export function openChannels(configured: Config['channels'], resources: ChannelResources): Channels {
  const channels = Object.entries(configured).map(([name, entry]) =>
    openKind('channels', name, entry, channelKinds, resources),
  )
  const redirecting = channels.filter((channel) => channel.form === 'redirect')
  try {
    checkCallbacks(
      'channels',
      redirecting.map(({ name }) => name),
    )
  } catch (error) {
    throw new ConfigurationError((error as Error).message)
  }
  refuseSharedSubjects(configured)

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
    forMessages: (app, recipient, method, content = 'code') =>
      choose(
        app,
        (channel): channel is MessageChannel =>
          channel.form === 'message' && channel.recipient === recipient && !(content === 'link' && channel.ownCodes),
        method,
      ),
    forRedirect: (app, method) =>
      choose(app, (channel): channel is RedirectChannel => channel.form === 'redirect', method),
    named: (name) => channels.find((channel) => channel.name === name),
    redirecting,
    all: () => channels.map((channel) => ({ channel, type: configured[channel.name]!.type })),
    withoutAuthority: () => withoutAuthority(configured),
    async close() {
      await Promise.all(channels.map((channel) => channel.close?.()))
    },
  }
}
