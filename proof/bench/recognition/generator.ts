// Which values do real browsers show? Drawn from the network of fingerprint-generator (Apache-2.0), with our own random source.

import { FingerprintGenerator } from 'fingerprint-generator'
import { type Random, weighted } from './random.ts'

/** The simulated browsers, and the user agent that identifies each. */
export const kinds = {
  windowsChrome: /Windows.*Chrome\/[\d.]+ Safari\/[\d.]+$/,
  windowsEdge: /Windows.* Edg\//,
  windowsFirefox: /Windows.* Firefox\//,
  macChrome: /Macintosh.*Chrome\/[\d.]+ Safari\/[\d.]+$/,
  macSafari: /Macintosh.* Version\/[\d.]+ Safari/,
  linuxChrome: /X11; Linux.*Chrome\/[\d.]+ Safari\/[\d.]+$/,
  linuxFirefox: /X11; (?:Ubuntu; )?Linux.* Firefox\//,
  androidChrome: /Android.*Chrome\/[\d.]+ Mobile Safari\/[\d.]+$/,
  iphone: /iPhone.* Version\/[\d.]+ Mobile/,
} as const
export type Kind = keyof typeof kinds

export interface Drawn {
  userAgent: string
  hints:
    | { architecture?: string; bitness?: string; model?: string; platform?: string; platformVersion?: string }
    | undefined
  cores: number
  memory: number | undefined
  touch: number
  platform: string
  vendor: string
  screen: Record<'width' | 'height' | 'availWidth' | 'availHeight' | 'availLeft' | 'availTop' | 'colorDepth', number>
  pixelRatio: number
  hdr: boolean
  gpu: { vendor: string; renderer: string } | undefined
  fonts: readonly string[]
  plugins: readonly string[]
  mediaDevices: Record<string, number>
}

type Probabilities = Record<string, number>
interface Node {
  name: string
  nodeDefinition: {
    conditionalProbabilities: Probabilities & { deeper?: Record<string, Probabilities>; skip?: Probabilities }
  }
}

const packedValue = '*STRINGIFIED*'
const missingValue = '*MISSING_VALUE*'

/**
 * Draws one value of each attribute for a browser of this kind. In the generator's network every attribute depends on the user
 * agent only; the caller makes sure that graphics card, screen and model fit together (device.ts).
 */
export function openGenerator(): (kind: Kind, random: Random) => Drawn {
  const network = (
    new FingerprintGenerator() as unknown as { fingerprintGeneratorNetwork: { nodesByName: Record<string, Node> } }
  ).fingerprintGeneratorNetwork
  const opened = new Map<string, unknown>()
  const drawers = new Map<string, (random: Random) => string>()

  const draw = (name: string, agent: string, random: Random): unknown => {
    let drawer = drawers.get(`${name} ${agent}`)
    if (!drawer) {
      const { deeper, skip } = network.nodesByName[name]!.nodeDefinition.conditionalProbabilities
      drawer = weighted(Object.entries(deeper?.[agent] ?? skip ?? {}))
      drawers.set(`${name} ${agent}`, drawer)
    }
    const value = drawer(random)
    if (value === undefined || value === missingValue) return undefined
    if (!value.startsWith(packedValue)) return value
    if (!opened.has(value)) opened.set(value, JSON.parse(value.slice(packedValue.length)))
    return opened.get(value)
  }

  const agents = Object.fromEntries(
    Object.entries(kinds).map(([kind, agent]) => {
      const all = network.nodesByName.userAgent!.nodeDefinition.conditionalProbabilities as Probabilities
      const its = Object.entries(all).filter(([text]) => agent.test(text))
      if (its.length === 0) throw new Error(`fingerprint-generator knows no ${kind} any more`)
      return [kind, weighted(its)]
    }),
  ) as Record<Kind, (random: Random) => string>

  return (kind, random) => {
    for (;;) {
      const userAgent = agents[kind](random)
      const of = (name: string) => draw(name, userAgent, random) as never
      const screen = of('screen') as
        | Partial<Drawn['screen'] & { devicePixelRatio: number; hasHDR: boolean }>
        | undefined
      if (!screen?.width) continue // some records of the generator are nearly empty
      const { plugins }: { plugins?: { name: string }[] } = of('pluginsData') ?? {}
      return {
        userAgent,
        hints: of('userAgentData'),
        cores: Number(of('hardwareConcurrency') ?? 8),
        memory: of('deviceMemory') === undefined ? undefined : Number(of('deviceMemory') ?? 8),
        touch: Number(of('maxTouchPoints') ?? 0),
        platform: of('platform'),
        vendor: of('vendor') ?? '',
        screen: screen as Drawn['screen'],
        pixelRatio: screen.devicePixelRatio ?? 1,
        hdr: Boolean(screen.hasHDR),
        gpu: of('videoCard'),
        fonts: of('fonts') ?? [],
        mediaDevices: Object.fromEntries(
          Object.entries((of('multimediaDevices') as Record<string, unknown[]> | undefined) ?? {}).map(
            ([kind, all]) => [kind, all.length],
          ),
        ),
        plugins: (plugins ?? []).map(({ name }) => name),
      }
    }
  }
}
