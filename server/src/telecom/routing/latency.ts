// How long does a connector usually take for a check? The 95th percentile of its last answers, on this server.

const kept = 100
/** With fewer answers, nothing is known. */
const fewest = 20

export interface Latencies {
  add(connector: string, check: string, ms: number): void
  /** In milliseconds; undefined with fewer than 20 answers. */
  p95(connector: string, check: string): number | undefined
}

export function latencies(): Latencies {
  const byRoute = new Map<string, { readonly last: number[]; next: number }>()
  return {
    add(connector, check, ms) {
      const key = `${connector} ${check}`
      const entry = byRoute.get(key) ?? { last: [], next: 0 }
      byRoute.set(key, entry)
      entry.last[entry.next] = ms
      entry.next = (entry.next + 1) % kept
    },
    p95(connector, check) {
      const last = byRoute.get(`${connector} ${check}`)?.last ?? []
      if (last.length < fewest) return undefined
      return last.toSorted((a, b) => a - b)[Math.ceil(last.length * 0.95) - 1]
    },
  }
}
