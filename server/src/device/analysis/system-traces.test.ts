import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tampering } from '../signals/web/tampering.ts'
import { recorded } from '../testdata/recordings.ts'
import { hasForeignGraphics, lacksFontsOf } from './system-traces.ts'

test('a browser without any font of its system claims a false one; one that reports no fonts is not suspected', () => {
  assert.equal(lacksFontsOf('windows', { fonts: ['DejaVu Sans'] }), true)
  assert.equal(lacksFontsOf('windows', { fonts: ['DejaVu Sans', 'Segoe UI Emoji'] }), false)
  assert.equal(lacksFontsOf('mac', { fonts: ['Consolas', 'Liberation Sans'] }), true)
  assert.equal(lacksFontsOf('mac', { fonts: ['Menlo'] }), false)
  assert.equal(lacksFontsOf('linux', { fonts: ['Ubuntu'] }), false)
  for (const facts of [{}, { fonts: [] }]) assert.equal(lacksFontsOf('windows', facts), false)
})

test('the graphics of one system do not match another', () => {
  const drawnBy = (renderer: string) => ({ webgl: { renderer } })
  const direct3d = drawnBy('ANGLE (Intel, Intel(R) UHD Graphics Direct3D11 vs_5_0 ps_5_0, D3D11)')
  const metal = drawnBy('ANGLE (Apple, ANGLE Metal Renderer: Apple M2, Unspecified Version)')
  const mesa = drawnBy('ANGLE (Intel, Mesa Intel(R) UHD Graphics (TGL GT1), OpenGL 4.6)')
  for (const [facts, of] of [
    [direct3d, 'windows'],
    [metal, 'mac'],
    [mesa, 'linux'],
  ] as const) {
    for (const system of ['windows', 'mac', 'linux'] as const) {
      assert.equal(hasForeignGraphics(system, facts), system !== of, `${of} as ${system}`)
    }
  }
  assert.equal(hasForeignGraphics('android', mesa), false)
})

test('a Chromium that claims Windows everywhere but has only fonts of Linux is tampering', () => {
  const { facts, headers, ...evidence } = recorded('chromium-ordinary')
  const asWindows = (text: string) => text.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64')
  const userAgent = asWindows(facts.userAgent!)
  const disguised = {
    ...facts,
    userAgent,
    platform: 'Win32',
    clientHints: { ...facts.clientHints, platform: 'Windows' },
    workerScope: { ...facts.workerScope, userAgent, platform: 'Win32', hintedPlatform: 'Windows' },
  }
  const claimed = { ...headers, 'user-agent': userAgent, 'sec-ch-ua-platform': '"Windows"' }
  const judge = (fonts: string[] | undefined) =>
    tampering.judge({ ...evidence, headers: claimed, facts: { ...disguised, ...(fonts && { fonts }) } })?.verdict.result
  assert.equal(judge(['DejaVu Sans']), true)
  assert.equal(judge(['DejaVu Sans', 'Segoe UI Emoji', 'Tahoma']), false)
})

test('a Firefox that falsely claims Windows is tampering, unless resistFingerprinting is on', () => {
  const asWindows = (name: string) => {
    const { facts, headers, ...evidence } = recorded(name)
    const userAgent = facts.userAgent!.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64')
    const workerScope = { ...facts.workerScope, userAgent, platform: 'Win32' }
    const disguised = { ...facts, userAgent, platform: 'Win32', workerScope }
    return tampering.judge({ ...evidence, headers: { ...headers, 'user-agent': userAgent }, facts: disguised })?.verdict
  }
  assert.equal(asWindows('firefox-ordinary')?.result, true)
  assert.equal(asWindows('firefox-resist-fingerprinting')?.result, false)
})
