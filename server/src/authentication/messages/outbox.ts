// Where do messages go while nobody can send any? Into an outbox: `npm start` prints it, and a test reads it.

export interface OutboxMessage {
  /** Epoch milliseconds. */
  readonly at: number
  readonly method: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Outbox {
  put(message: OutboxMessage): void
  /** The last ones, oldest first. */
  messages(): readonly OutboxMessage[]
  /** Tells each new one from now on. */
  onMessage(listener: (message: OutboxMessage) => void): void
}

const kept = 100

export function outbox(): Outbox {
  const messages: OutboxMessage[] = []
  const listeners: ((message: OutboxMessage) => void)[] = []
  return {
    put(message) {
      messages.push(message)
      if (messages.length > kept) messages.shift()
      for (const listener of listeners) listener(message)
    },
    messages: () => [...messages],
    onMessage(listener) {
      listeners.push(listener)
    },
  }
}
