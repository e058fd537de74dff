// What happened to browsers, and what did they report? Mostly recordings of proof/scenarios.

import { type Cause, recordedIn, thread } from './cause.ts'

const chromium = recordedIn('Chromium 156')
const firefox = recordedIn('Firefox 153')

/** The first packet of a connection from Linux 6.18, options 2-4-8-1-3 and time to live 64, as `ip.fp(3)` of HAProxy writes it. */
const synOfLinux = '0050A8FAF005B4473F0204080103'

export const browserCauses = {
  firstVisit: {
    happened: 'A person opens the page for the first time, and the app adds a parameter',
    platform: 'WEB',
    recording: 'chromium-ordinary',
    params: { orderId: 'A-17' },
    shows: ['requestId', 'sessionId', 'newDevice', 'deviceId', 'ip', 'additionalData', 'secure_info.confidence'],
    source: chromium,
    seen: 'here',
  },
  elsewhere: {
    happened: 'A browser with the clock of New York calls from an IP address in India',
    platform: 'WEB',
    recording: 'chromium-elsewhere',
    shows: [
      'vpn',
      'secure_info.vpn.result',
      'secure_info.vpn.timezoneMismatch',
      'secure_info.vpn.originCountry',
      'secure_info.vpn.originTimezone',
    ],
    source: chromium,
    seen: 'here',
  },
  otherSystem: {
    happened: 'A browser on Linux says that it runs on Windows; the first packet of its connection is that of Linux',
    platform: 'WEB',
    recording: 'chromium-user-agent-flag',
    headers: { 'x-tcp-fp': synOfLinux },
    shows: ['vpn', 'secure_info.vpn.result', 'secure_info.vpn.osMismatch', 'secure_info.tampering'],
    source: recordedIn('Chromium 156, and a packet of Linux 6.18'),
    seen: 'here',
  },
  playwright: {
    happened: 'Playwright drives a browser without a window',
    platform: 'WEB',
    recording: 'playwright-headless',
    shows: ['sessionRiskScore', 'deviceRiskScore', 'secure_info.bot', 'secure_info.suspectScore'],
    source: chromium,
    seen: 'here',
  },
  agentInExtension: {
    happened: 'An AI agent in an extension controls the tab of a person over the debugger of the browser',
    platform: 'WEB',
    recording: 'chromium-agent-extension',
    shows: ['secure_info.bot'],
    source: chromium,
    seen: 'here',
  },
  privateWindow: {
    happened: 'A person opens a private window',
    platform: 'WEB',
    recording: 'chromium-incognito',
    shows: ['secure_info.incognito'],
    source: chromium,
    seen: 'here',
  },
  resistFingerprinting: {
    happened: '`privacy.resistFingerprinting` is on',
    platform: 'WEB',
    recording: 'firefox-resist-fingerprinting',
    shows: ['secure_info.privacySettings'],
    source: firefox,
    seen: 'here',
  },
  developerTools: {
    happened: 'The developer tools are open',
    platform: 'WEB',
    recording: 'chromium-developer-tools',
    shows: ['secure_info.developerTools'],
    source: chromium,
    seen: 'here',
  },
  virtualBox: {
    happened: 'A browser runs in VirtualBox, with the graphics of its guest',
    platform: 'WEB',
    recording: 'chromium-ordinary',
    facts: { webgl: { renderer: 'SVGA3D; build: RELEASE;  LLVM;' } },
    shows: ['secure_info.virtualMachine'],
    source: thread('gfx-rs/wgpu#2995'),
    seen: 'reported',
  },
} as const satisfies Record<string, Cause>
