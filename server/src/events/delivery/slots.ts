// How many run at once? As many as there is room for now; the others wait for their turn.

export class Slots {
  readonly #room: () => number
  #inUse = 0
  readonly #waiting: ((isFree: boolean) => void)[] = []

  /** `room`: how many may run now; 0 sends away whoever waits. */
  constructor(room: () => number) {
    this.#room = room
  }

  /** Undefined when there is no room at all. */
  async use<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.#taken())) return
    try {
      return await work()
    } finally {
      this.#inUse--
      this.changed()
    }
  }

  /** Taken in the turn of the call, so that no other call takes the same one. */
  #taken(): boolean | Promise<boolean> {
    const room = this.#room()
    if (room === 0) return false
    if (this.#inUse >= room) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#inUse++
    return true
  }

  /** There may be room, or none any more. */
  changed(): void {
    const room = this.#room()
    if (room === 0) for (const resolve of this.#waiting.splice(0)) resolve(false)
    while (this.#waiting.length > 0 && this.#inUse < room) {
      this.#inUse++
      this.#waiting.shift()!(true)
    }
  }
}
