// Does the browser run in a virtual machine?

import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Graphics that only a hypervisor offers. */
const virtualGraphics =
  /VMware|SVGA3D|VirtualBox|\bVBox|Parallels|\bvirgl\b|\bVirtio|\bvirtio|\bQXL\b|Red Hat|Hyper-V|\bbhyve\b|\bQEMU\b|\bVenus\b|Apple Paravirtual/i

/**
 * Graphics that a processor draws (SwiftShader, llvmpipe, Microsoft Basic Render Driver) are none: ordinary machines with a broken
 * or blocked driver have them, and those on a remote desktop (docs/decisions/0012).
 */
export const virtualMachine: Signal<FlagResult> = {
  version: 1,
  platforms: ['WEB'],
  judge({ facts: { webgl } }) {
    const names = [webgl?.vendor, webgl?.renderer].filter((name) => name !== undefined)
    if (names.length === 0) return undefined
    return { verdict: { result: names.some((name) => virtualGraphics.test(name)) }, reasons: [names.join(', ')] }
  },
}
