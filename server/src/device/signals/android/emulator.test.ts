import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../../testdata/phones.ts'
import { emulator } from './emulator.ts'

test('detects the emulators of Google and others by build, hardware, model or files', () => {
  const google = { fingerprint: 'google/sdk_gphone64_arm64/emu64a:15/AE3A/1:userdebug/dev-keys', hardware: 'ranchu' }
  for (const changes of [
    { build: google },
    { build: { hardware: 'vbox86' } },
    { emulatorTraces: ['/dev/qemu_pipe'] },
    { deviceModel: { identifier: 'Android SDK built for x86' } },
    { peripherals: { sensors: 0, cameras: 0, hardwareCodecs: 0 } },
  ]) {
    assert.equal(emulator.judge(androidPhone(changes))?.verdict.result, true, JSON.stringify(changes))
  }
})

test('an ordinary phone is not an emulator, nor is a tablet with a desktop processor', () => {
  assert.equal(emulator.judge(androidPhone())?.verdict.result, false)
  assert.equal(
    emulator.judge(androidPhone({ deviceModel: { ...androidPhone().facts.deviceModel, cpuType: 'x86_64' } }))?.verdict
      .result,
    false,
  )
  for (const present of ['sensors', 'cameras', 'hardwareCodecs'] as const) {
    const peripherals = { sensors: 0, cameras: 0, hardwareCodecs: 0, [present]: 1 }
    assert.equal(emulator.judge(androidPhone({ peripherals }))?.verdict.result, false, `a device with ${present}`)
  }
  const { peripherals: ___, ...unasked } = androidPhone().facts
  assert.equal(emulator.judge({ ...androidPhone(), facts: unasked }), undefined)
  const { build: _, emulatorTraces: __, ...others } = androidPhone().facts
  assert.equal(emulator.judge({ ...androidPhone(), facts: others }), undefined)
})
