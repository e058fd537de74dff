// Where does the change rate behind each weight come from?

import type { Component } from '../../server/src/device/identity/components.ts'

const published = 'Andriamilanto 2022'
const addresses = 'Mishra 2020'
const derived = 'a function of graphics card, system and version, as browsers have it; change with canvas or version'
const estimate = 'our estimate of change; spread as fingerprint-generator has it'

export const sources: Record<Component, string> = {
  gpu: `${published}: 0.009 in six months; spread as fingerprint-generator has it`,
  parameters: derived,
  extensions: derived,
  image: derived,
  canvasShapes: `${published}: 0.11 in six months; ${derived}`,
  canvasText: `${published}: 0.11 in six months; ${derived}`,
  audio: derived,
  math: derived,
  cores: estimate,
  memory: estimate,
  touch: estimate,
  architecture: estimate,
  model: estimate,
  platform: estimate,
  osVersion: estimate,
  screen: `${published}: resolution 0.16 in six months; spread as fingerprint-generator has it`,
  area: `${published}: resolution 0.16 in six months; spread as fingerprint-generator has it`,
  pixelRatio: estimate,
  media: estimate,
  fonts: estimate,
  fontFamily: 'a function of the system',
  voices: 'our estimate of change and spread',
  plugins: estimate,
  languages: `${published}: 0.29 in six months; spread is our estimate`,
  zone: 'our estimate of change and spread',
  provider: 'our estimate: a region of a provider stays',
  network: `${addresses}: of new addresses most lie in the same network`,
  address: `${addresses}: 87 % of users keep an address for over a month`,
  fontWidths: derived,
  permissions: estimate,
  mediaDevices: 'spread as fingerprint-generator has it; plugged-in ones are our estimate',
  keyboard: 'our estimate of change and spread',
  locale: 'our estimate of change and spread',
  codecs: derived,
  version: 'a version in 28 days; 15 % of devices do not follow',
}
