// Which signals exist? Everything else about a signal is in its own file.

import { accessibilityService } from './accessibility-service.ts'
import { activeCall } from './active-call.ts'
import { appAccessRisk } from './app-access-risk.ts'
import { appAttestation } from './app-attestation.ts'
import { appTampering } from './app-tampering.ts'
import { bot } from './bot.ts'
import { clonedApp } from './cloned-app.ts'
import { developerTools } from './developer-tools.ts'
import { emulator } from './emulator.ts'
import { factoryReset } from './factory-reset.ts'
import { foreignKeyboard } from './foreign-keyboard.ts'
import { frida } from './frida.ts'
import { hooking } from './hooking.ts'
import { incognito } from './incognito.ts'
import { jailbroken } from './jailbroken.ts'
import { locationSpoofing } from './location-spoofing.ts'
import { manualClock } from './manual-clock.ts'
import { mirroredScreen } from './mirrored-screen.ts'
import { missingFacts } from './missing-facts.ts'
import { openWifi } from './open-wifi.ts'
import { overlay } from './overlay.ts'
import { privacySettings } from './privacy-settings.ts'
import { proxy } from './proxy.ts'
import { recentReset } from './recent-reset.ts'
import { remoteAccess } from './remote-access.ts'
import { rootApps } from './root-apps.ts'
import { sideloadedApp } from './sideloaded-app.ts'
import type { VerdictsOf, WeightNameOf } from './signal.ts'
import { simulator } from './simulator.ts'
import { systemProxy } from './system-proxy.ts'
import { tampering } from './tampering.ts'
import { tor } from './tor.ts'
import { unattested } from './unattested.ts'
import { userProfile } from './user-profile.ts'
import { virtualMachine } from './virtual-machine.ts'
import { vpn } from './vpn.ts'

/** In the order in which verdicts are stored and shown. */
export const signals = [
  bot,
  incognito,
  privacySettings,
  developerTools,
  virtualMachine,
  tampering,
  vpn,
  tor,
  proxy,
  systemProxy,
  jailbroken,
  rootApps,
  simulator,
  emulator,
  clonedApp,
  appTampering,
  hooking,
  frida,
  mirroredScreen,
  activeCall,
  remoteAccess,
  accessibilityService,
  overlay,
  foreignKeyboard,
  sideloadedApp,
  userProfile,
  openWifi,
  manualClock,
  locationSpoofing,
  factoryReset,
  recentReset,
  missingFacts,
  unattested,
  appAttestation,
  appAccessRisk,
] as const

export type SignalName = (typeof signals)[number]['name']
export type Verdicts = VerdictsOf<(typeof signals)[number]>
export type WeightName = WeightNameOf<(typeof signals)[number]>
