// Where do messages go when no gateway is configured? To the outbox: the sandbox prints it, and tests read it.

export interface OutboxMessage {
  /** Whose sign-in it is. */
  readonly tenantId: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly method: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Outbox {
  put(message: OutboxMessage): void
  /** The latest messages of all tenants, oldest first. */
  messages(): readonly OutboxMessage[]
  /** Calls the listener for each new message. */
  onMessage(listener: (message: OutboxMessage) => void): void
  /** From now on console and backends read the messages. Only a sandbox may: with a code, anyone can sign in as its recipient. */
  show(): void
  isShown(): boolean
}

const capacity = 100

export function outbox(): Outbox {
  const messages: OutboxMessage[] = []
  const listeners: ((message: OutboxMessage) => void)[] = []
  let isShown = false
  return {
    put(message) {
      messages.push(message)
      if (messages.length > capacity) messages.shift()
      for (const listener of listeners) listener(message)
    },
    messages: () => [...messages],
    onMessage(listener) {
      listeners.push(listener)
    },
    show() {
      isShown = true
    },
    isShown: () => isShown,
  }
}
