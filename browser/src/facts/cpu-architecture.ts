// Which instruction set does the processor have?

import { userAgentData } from '../collect/user-agent-data.ts'

/**
 * `x86_64`, `x86`, `arm64` or `arm`. Without client hints the bitness is unknown, so it is `x86` or
 * `arm`.
 */
export async function cpuArchitecture(): Promise<string> {
  const hints = await userAgentData()
    ?.getHighEntropyValues(['architecture', 'bitness'])
    .catch(() => undefined)
  const architecture = hints?.architecture || architectureByNaN()
  if (hints?.bitness !== '64') return architecture
  return { x86: 'x86_64', arm: 'arm64' }[architecture] ?? architecture
}

/** The sign bit of ∞ − ∞ is set on x86 and clear on ARM. */
function architectureByNaN(): string {
  const number = new Float32Array(1)
  const bytes = new Uint8Array(number.buffer)
  number[0] = Number.POSITIVE_INFINITY
  number[0] = number[0] - number[0]
  return bytes[3] === 255 ? 'x86' : 'arm'
}
