// Detects a virtual machine, by the name of its graphics.

import { flag } from '../../../core/path-types.ts'
import { isWhole } from '../../analysis/whole-facts.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

/** Names of graphics that only a hypervisor has. `VMware, Inc.` is also the vendor of Mesa's drivers for ordinary computers. */
const virtualGraphics =
  /SVGA ?3D|VirtualBox|\bVBox|Parallels|\bvirgl\b|\bVirtio|\bvirtio|\bQXL\b|Red Hat|Hyper-V|\bbhyve\b|\bQEMU\b|\bVenus\b|Apple Paravirtual/i

/**
 * Software renderers (SwiftShader, llvmpipe, Microsoft Basic Render Driver) do not count: ordinary machines use them with a broken
 * or blocked driver, and on a remote desktop (docs/decisions/0012).
 */
export const virtualMachine = signal({
  name: 'virtualMachine',
  question: 'Does the browser run in a virtual machine?',
  version: 3,
  platforms: ['WEB'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { vendor = '', renderer = '' } = evidence.facts.webgl ?? {}
    const names = `${vendor}, ${renderer}`
    const result = virtualGraphics.test(names)
    return result || isWhole(evidence, 'webgl') ? { verdict: { result }, reasons: [names] } : undefined
  },
  weights: {
    virtualMachine: {
      fires: resultOf,
      session: 0.25,
      because: 'the browser runs in a virtual machine; some people work in one',
      suspect: { WEB: 14 },
    },
  },
  secureInfo: {
    returnedBy: 'secure-info',
    unknown: { result: false },
    rules: {
      virtualMachine: {
        type: flag('Runs in a virtual machine'),
        value: resultOf,
        read: ({ signals }) => signals?.virtualMachine,
      },
    },
  },
})
