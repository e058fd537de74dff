// Which browsers visit in the demo? Drawn once from the simulated population of the benchmarks (proof/bench/demo/devices.ts).

import { readFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { newKey, type SigningKey } from '../../../testing/src/visitors/signing-key.ts'

type Kind = 'phone' | 'desktop' | 'automated'

interface Shown {
  readonly facts: object
  readonly headers: Readonly<Record<string, string>>
}

interface Stored {
  /** On which days of the demo a device shows something new. */
  readonly days: readonly number[]
  readonly devices: readonly { readonly kind: Kind; readonly shown: readonly Shown[] }[]
}

/** A browser with its own storage. */
export interface DemoBrowser {
  shownOn(day: number): Shown
  key(): SigningKey
  clearStorage(): void
}

/** Each call takes the next device of its kind; @throws Error when there is none left */
export function openBrowsers(): (kind: Kind) => DemoBrowser {
  const file = readFileSync(new URL('./devices.json.zst', import.meta.url))
  const { days, devices } = JSON.parse(zstdDecompressSync(file).toString()) as Stored
  const ofKind = Map.groupBy(devices, ({ kind }) => kind)
  const taken = new Map<Kind, number>()
  return (kind) => {
    const next = taken.get(kind) ?? 0
    taken.set(kind, next + 1)
    const device = ofKind.get(kind)?.[next]
    if (!device) throw new Error(`devices.json.zst has only ${next} devices of the kind ${kind}`)
    let key: SigningKey | undefined
    return {
      shownOn(day) {
        const since = days.filter((changesOn) => changesOn <= day).length
        return device.shown[Math.min(since, device.shown.length) - 1]!
      },
      key() {
        key ??= newKey()
        return key
      },
      clearStorage() {
        key = undefined
      },
    }
  }
}
