// Detects an Android emulator, by its build, hardware, model and files.

import { flag } from '../../core/path-types.ts'
import { combined } from '../scores/combine.ts'
import { holding, textsOf } from './reasons.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

const emulatedOver = 0.5

export const emulator = signal({
  name: 'emulator',
  question: 'Is the Android device an emulator?',
  version: 1,
  platforms: ['ANDROID'],
  judge({ facts: { build, deviceModel, emulatorTraces } }): Finding<FlagResult> | undefined {
    if (!build && !emulatorTraces) return undefined
    const reasons = holding([
      [
        /^(generic|unknown|Android)\b|sdk_g?phone|vbox|\bemu/i.test(build?.fingerprint ?? ''),
        0.6,
        `build ${build?.fingerprint}`,
      ],
      [/goldfish|ranchu|vbox86|nox|ttvm|andy/i.test(build?.hardware ?? ''), 0.8, `hardware ${build?.hardware}`],
      [
        /^sdk|sdk_gphone|emulator|vbox|simulator|genymotion/i.test(build?.product ?? ''),
        0.6,
        `product ${build?.product}`,
      ],
      [
        /emulator|Android SDK built for|genymotion/i.test(deviceModel?.identifier ?? ''),
        0.8,
        `model ${deviceModel?.identifier}`,
      ],
      [/^x86/.test(deviceModel?.cpuType ?? ''), 0.3, 'a desktop processor'],
      [(emulatorTraces?.length ?? 0) > 0, 0.8, `files: ${emulatorTraces?.join(', ')}`],
    ])
    return { verdict: { result: combined(reasons) > emulatedOver }, reasons: textsOf(reasons) }
  },
  weights: {
    emulator: {
      fires: resultOf,
      session: 0.55,
      because: 'the app runs on an emulator, not on a device',
      suspect: { ANDROID: 9 },
    },
  },
  report: {
    field: 'simulator',
    value: resultOf,
  },
  secureInfo: {
    returnedBy: 'both',
    unknown: { result: false },
    rules: {
      emulator: {
        type: flag('Runs on an emulator (Android)'),
        value: resultOf,
        read: ({ signals }) => signals?.emulator,
      },
    },
  },
})
