// Detects an Android emulator, by its build, hardware, model and files, and by what it lacks.

import type { AndroidFacts } from '@ringfence/contract'
import { flag } from '../../../core/path-types.ts'
import { asked } from '../../analysis/absent-facts.ts'
import { holding, type Row, reaches, textsOf } from '../reasons.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

const emulatedOver = 0.5

/** A box for a television has neither sensors nor cameras, but its codecs are hardware. */
const hasNothing = ({ sensors, cameras, hardwareCodecs }: NonNullable<AndroidFacts['peripherals']>) =>
  sensors === 0 && cameras === 0 && hardwareCodecs === 0

export const emulator = signal({
  name: 'emulator',
  question: 'Is the Android device an emulator?',
  version: 4,
  platforms: ['ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { build, deviceModel, emulatorTraces } = evidence.facts
    if (!build && !emulatorTraces) return undefined
    const ofBuild = (name: keyof NonNullable<AndroidFacts['build']>, pattern: RegExp) =>
      asked(evidence, ['build'], () => pattern.test(String(build?.[name] ?? '')))
    const ofModel = (name: 'identifier' | 'cpuType', pattern: RegExp) =>
      asked(evidence, ['deviceModel'], () => pattern.test(deviceModel?.[name] ?? ''))
    const table: Row[] = [
      [
        ofBuild('fingerprint', /^(generic|unknown|Android)\b|sdk_g?phone|vbox|\bemu/i),
        0.6,
        `build ${build?.fingerprint}`,
      ],
      [ofBuild('hardware', /goldfish|ranchu|vbox86|nox|ttvm|andy/i), 0.8, `hardware ${build?.hardware}`],
      [ofBuild('product', /^sdk|sdk_gphone|emulator|vbox|simulator|genymotion/i), 0.6, `product ${build?.product}`],
      [ofModel('identifier', /emulator|Android SDK built for|genymotion/i), 0.8, `model ${deviceModel?.identifier}`],
      [ofModel('cpuType', /^x86/), 0.3, 'a desktop processor'],
      [
        asked(evidence, ['emulatorTraces'], () => (emulatorTraces?.length ?? 0) > 0),
        0.8,
        `files: ${emulatorTraces?.join(', ')}`,
      ],
      [
        asked(evidence, ['peripherals'], (facts) => hasNothing(facts.peripherals!)),
        0.6,
        'no sensors, no cameras, no hardware codecs',
      ],
    ]
    const result = reaches(table, (score) => score > emulatedOver)
    return result === undefined ? undefined : { verdict: { result }, reasons: textsOf(holding(table)) }
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
