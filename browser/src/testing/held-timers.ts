// How long does a page wait in a test? Until the test says so: a busy machine is late with keys, facts and answers, and the limits of the SDK are short.

declare global {
  /** In a page with `holding`, the limits that have begun, in order. */
  var limits: readonly {
    readonly ms: number
    /** The time is up. Without an effect where it is not waited for any more. */
    end(): void
  }[]
}

/** Each limit of the SDK that decides what it sends. */
const sdkLimitsMs: readonly number[] = [100, 200, 500, 1_000, 1_500, 3_000, 5_000, 10_000]

/** A limit that no test ends does so itself. */
export const heldForMs = 60_000

/** A script: timers of these lengths end when the test says so, or else after a minute. */
export const holding = (lengthsMs: readonly number[] = sdkLimitsMs): string => `{
  const [later, never] = [setTimeout, clearTimeout]
  const over = new Set()
  globalThis.limits = []
  globalThis.setTimeout = (work, ms, ...more) => {
    if (!${JSON.stringify(lengthsMs)}.includes(ms)) return later(work, ms, ...more)
    const timer = later(work, ${heldForMs}, ...more)
    limits.push({
      ms,
      end() {
        if (over.has(timer)) return
        clearTimeout(timer)
        work(...more)
      },
    })
    return timer
  }
  globalThis.clearTimeout = (timer) => {
    over.add(timer)
    never(timer)
  }
};`
