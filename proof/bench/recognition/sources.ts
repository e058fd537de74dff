// Where does the change rate behind each weight come from?

import type { Component } from '../../../server/src/device/identity/components.ts'

const published = 'Andriamilanto 2022'
const pairs = 'FP-STALKER, public pairs'
const addresses = 'Mishra 2020'
const derived = 'a function of graphics card, system and version, as browsers have it; change with canvas or version'
const estimate = 'our estimate of change; spread as fingerprint-generator has it'

export const sources: Record<Component, string> = {
  gpu: `${pairs}: 1.1 % in nine days; ${published}: 0.009 in six months; spread as Berke 2025`,
  parameters: derived,
  extensions: derived,
  image: derived,
  canvasShapes: `${pairs}: 4.8 % in nine days; ${derived}`,
  canvasText: `${pairs}: 4.8 % in nine days; ${derived}`,
  audio: derived,
  math: derived,
  cores: estimate,
  memory: estimate,
  touch: estimate,
  architecture: estimate,
  model: estimate,
  platform: estimate,
  osVersion: estimate,
  screen: `${pairs}: 14 % in nine days; spread as Berke 2025`,
  area: `${pairs}: 14 % in nine days; spread as Berke 2025`,
  pixelRatio: estimate,
  media: estimate,
  fonts: estimate,
  fontFamily: 'a function of the system',
  voices: 'our estimate of change and spread',
  plugins: estimate,
  languages: `${pairs}: 0.6 % in nine days; spread is our estimate`,
  zone: `${pairs}: 5.1 % in nine days; spread is our estimate`,
  provider: 'our estimate: a region of a provider stays',
  network: `${addresses}: of new addresses most lie in the same network`,
  address: `${pairs}: 31.5 % in nine days; ${addresses}: 87 % of users keep an address for over a month`,
  fontWidths: derived,
  permissions: estimate,
  mediaDevices: 'spread as fingerprint-generator has it; plugged-in ones are our estimate',
  keyboard: 'our estimate of change and spread',
  locale: 'our estimate of change and spread',
  codecs: derived,
  fullVersion: 'a build each week; 15 % of devices do not follow',
  window: 'our estimate: a window that is not maximised stays for two days',
  version: 'a version in 28 days; 15 % of devices do not follow',
}
