import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recorded } from '../../testdata/recordings.ts'
import { virtualMachine } from './virtual-machine.ts'

const ordinary = recorded('chromium-ordinary')
const judge = (vendor: string, renderer: string) =>
  virtualMachine.judge({ ...ordinary, facts: { webgl: { vendor, renderer } } })?.verdict.result

test('detects a virtual machine by the graphics of a hypervisor', () => {
  assert.equal(judge('VMware, Inc.', 'SVGA3D; build: RELEASE; LLVM;'), true)
  assert.equal(judge('Google Inc. (VMware)', 'ANGLE (VMware, VMware SVGA 3D, D3D11)'), true)
  assert.equal(judge('Humper', 'Chromium VirtualBox Graphics Adapter'), true)
  assert.equal(judge('Google Inc. (Parallels)', 'ANGLE (Parallels, Parallels Display Adapter (WDDM) Direct3D11)'), true)
  assert.equal(judge('Mesa', 'virgl (ANGLE (Intel))'), true)
})

test('software renderers and real graphics are no virtual machine', () => {
  assert.equal(
    judge('Google Inc. (Google)', 'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)'),
    false,
  )
  assert.equal(judge('Mesa/X.org', 'llvmpipe (LLVM 15.0.6, 256 bits)'), false)
  assert.equal(
    judge('Google Inc. (NVIDIA)', 'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11 vs_5_0 ps_5_0, D3D11)'),
    false,
  )
  assert.equal(judge('Apple Inc.', 'Apple GPU'), false)
})

test('a Mesa driver whose maker is VMware is no virtual machine', () => {
  assert.equal(judge('VMware, Inc.', 'Gallium 0.4 on i915 (chipset: Pineview M)'), false)
  assert.equal(judge('VMware, Inc.', 'llvmpipe (LLVM 10.0.0, 256 bits)'), false)
  const ofChromium = 'ANGLE (VMware, Inc., llvmpipe (LLVM 10.0.0, 256 bits), OpenGL 3.3 core)'
  assert.equal(judge('Google Inc. (VMware, Inc.)', ofChromium), false)
})

test('has no verdict without graphics', () => {
  assert.equal(virtualMachine.judge({ ...ordinary, facts: {} }), undefined)
})
