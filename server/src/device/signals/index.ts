// Which signals exist? Everything else about a signal is in its own file.

import { accessibilityService } from './android/accessibility-service.ts'
import { activeCall } from './android/active-call.ts'
import { appAccessRisk } from './android/app-access-risk.ts'
import { appAttestation } from './android/app-attestation.ts'
import { emulator } from './android/emulator.ts'
import { foreignKeyboard } from './android/foreign-keyboard.ts'
import { manualClock } from './android/manual-clock.ts'
import { openWifi } from './android/open-wifi.ts'
import { overlay } from './android/overlay.ts'
import { remoteAccess } from './android/remote-access.ts'
import { rootApps } from './android/root-apps.ts'
import { sideloadedApp } from './android/sideloaded-app.ts'
import { userProfile } from './android/user-profile.ts'
import { appTampering } from './app-tampering.ts'
import { clonedApp } from './cloned-app.ts'
import { developerTools } from './developer-tools.ts'
import { factoryReset } from './factory-reset.ts'
import { frida } from './frida.ts'
import { hooking } from './hooking.ts'
import { jailbroken } from './ios/jailbroken.ts'
import { simulator } from './ios/simulator.ts'
import { locationSpoofing } from './location-spoofing.ts'
import { mirroredScreen } from './mirrored-screen.ts'
import { missingFacts } from './missing-facts.ts'
import { proxy } from './proxy.ts'
import { recentReset } from './recent-reset.ts'
import type { VerdictsOf, WeightNameOf } from './signal.ts'
import { systemProxy } from './system-proxy.ts'
import { tor } from './tor.ts'
import { unattested } from './unattested.ts'
import { vpn } from './vpn.ts'
import { bot } from './web/bot.ts'
import { incognito } from './web/incognito.ts'
import { privacySettings } from './web/privacy-settings.ts'
import { tampering } from './web/tampering.ts'
import { virtualMachine } from './web/virtual-machine.ts'

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
