// Which kinds of stream exist, and which streams does the configuration file have?

import type { EventType } from '@ringfence/contract'
import { type Config, ConfigurationError } from '../../core/config/config.ts'
import { openKind } from '../../core/config/open-kind.ts'
import type { ReadSecret } from '../../core/config/secret-reference.ts'
import { type Receiver, subscribes, subscriptions } from '../receivers.ts'
import { fileSink } from './file-sink.ts'
import type { Sink, SinkKind, StreamSettings } from './stream.ts'
import { streamId } from './stream-id.ts'
import { syslogSink } from './syslog-sink.ts'

export const sinkKinds: readonly SinkKind[] = [fileSink, syslogSink]

export interface EventStream {
  /** Of its deliveries. */
  readonly receiverId: string
  readonly name: string
  readonly sink: Sink
  readonly isMasked: boolean
}

type Configured = NonNullable<Config['eventStreams']>

/** By receiver id. Opens no file and no connection yet. @throws ConfigurationError that names the key */
export function openStreams(
  configured: Configured,
  resources: { readonly readSecret: ReadSecret },
): ReadonlyMap<string, EventStream> {
  return new Map(
    Object.entries(configured).map(([name, entry]) => {
      const sink = openKind('eventStreams', name, entry, sinkKinds, resources)
      const { types = [], personalData = 'masked' } = entry as StreamSettings
      const unknown = types.find((type) => !subscriptions.includes(type))
      if (unknown !== undefined) {
        const allowed = subscriptions.join(', ')
        throw new ConfigurationError(
          `eventStreams.${name}.types: ${unknown} is no type of event: use one of ${allowed}`,
        )
      }
      return [streamId(name), { receiverId: streamId(name), name, sink, isMasked: personalData === 'masked' }]
    }),
  )
}

/** Who waits for events because of these streams. Commands need no more of them. */
export function streamReceivers(configured: Configured = {}): Receiver[] {
  return Object.entries(configured).map(([name, entry]) => {
    const { types = ['*'] } = entry as StreamSettings
    return { id: streamId(name), isStream: true, wants: (type: EventType) => subscribes(types, type) }
  })
}
