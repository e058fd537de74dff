// Which facts do devices report in tests? Complete facts of a laptop, a phone and an iPhone, to change one at a time.

import { hash } from 'node:crypto'
import type { WebFacts } from '@ringfence/contract'

export const homeAddress = '203.0.113.7'
export const workAddress = '198.51.100.20'

const drawn = (of: string) => hash('md5', of)

/** Chrome on Windows. */
export function laptop(changes: WebFacts = {}, version = 150): WebFacts {
  return {
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
    platform: 'Win32',
    vendor: 'Google Inc.',
    languages: ['en-IN', 'en-GB', 'en', 'ta'],
    timezone: 'Asia/Kolkata',
    screen: { width: 1536, height: 864, availWidth: 1536, availHeight: 816, availLeft: 0, availTop: 0, colorDepth: 24 },
    devicePixelRatio: 1.25,
    hardwareConcurrency: 12,
    deviceMemory: 8,
    maxTouchPoints: 0,
    cpuArchitecture: 'x86_64',
    clientHints: {
      platform: 'Windows',
      platformVersion: '15.0.0',
      architecture: 'x86',
      bitness: '64',
      model: '',
      fullVersionList: [{ brand: 'Google Chrome', version: `${version}.0.7390.54` }],
    },
    canvas: { geometry: drawn('shapes'), text: drawn('text'), isStable: true, isExact: true },
    audio: 124.04347527516074,
    fonts: ['Arial', 'Calibri', 'Latha', 'Nirmala UI', 'Segoe UI'],
    fontWidths: [142.3, 151.5],
    webgl: {
      vendor: 'Google Inc. (Intel)',
      renderer: 'ANGLE (Intel, Intel(R) Iris(R) Xe Graphics (0x000046A6) Direct3D11 vs_5_0 ps_5_0, D3D11)',
      parameters: drawn('parameters'),
      extensions: drawn('extensions'),
      image: drawn('image'),
    },
    math: drawn('math'),
    voices: ['Microsoft Heera - English (India)', 'Microsoft Valluvar - Tamil (India)'],
    plugins: ['PDF Viewer', 'Chrome PDF Viewer'],
    mediaQueries: { 'prefers-color-scheme': 'dark', pointer: 'fine' },
    permissions: { notifications: 'prompt' },
    mediaDevices: { videoinput: 1, audioinput: 1, audiooutput: 1 },
    keyboard: 'qwerty',
    locale: 'en-IN gregory latn h12',
    codecs: drawn('codecs'),
    ...changes,
  }
}

/** Safari on an iPhone: the same for all of its model. */
export function iphone(changes: WebFacts = {}): WebFacts {
  return {
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    platform: 'iPhone',
    languages: ['en-IN'],
    timezone: 'Asia/Kolkata',
    screen: { width: 390, height: 844 },
    maxTouchPoints: 5,
    webgl: { vendor: 'Apple Inc.', renderer: 'Apple GPU' },
    ...changes,
  }
}
