// Where is the master key? It wraps one key of the store, and nothing else, so a key that never leaves its KMS can do it too.

export interface WrappedKey {
  /** Which master key wrapped it: an id that reveals nothing of the key. */
  readonly by: string
  readonly wrapped: Uint8Array
}

export interface MasterKeyProvider {
  /** As messages name it: `MASTER_KEY`, the path of a file, a command. */
  readonly name: string
  /** Wraps 32 bytes with the newest master key. @throws Error that says what to do */
  wrap(key: Uint8Array): Promise<WrappedKey>
  /** Undefined when this provider does not have that master key. @throws Error when it cannot be read */
  unwrap(wrapped: WrappedKey): Promise<Uint8Array | undefined>
  /** The master keys themselves, newest first, where the provider releases them. Empty when there is none yet. */
  keys(): Promise<readonly Uint8Array[]>
  /** The master key with this id, a previous one too, where the provider releases it. */
  find(id: string): Promise<Uint8Array | undefined>
  /** The id of the master key that wraps; undefined when there is none yet. */
  newest(): Promise<string | undefined>
  /** Only a provider that can write its keys has these. */
  readonly writer?: {
    /** Makes the first key. Does nothing when another process has just made one. */
    create(): Promise<void>
    /** Puts a new key before the others. */
    add(): Promise<void>
    /** Moves each key but the one with this id to a file beside it. @returns the path of the latest of them */
    retire(used: string): Promise<string | undefined>
  }
}
