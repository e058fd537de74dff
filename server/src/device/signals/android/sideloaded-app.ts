// Detects an app that no store installed.

import { flag } from '../../../core/path-types.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

const stores: ReadonlySet<string> = new Set([
  ...['com.android.vending', 'com.amazon.venezia', 'com.sec.android.app.samsungapps', 'com.huawei.appmarket'],
  ...['com.xiaomi.mipicks', 'com.xiaomi.market', 'com.oppo.market', 'com.heytap.market', 'com.bbk.appstore'],
  ...['com.vivo.appstore', 'com.hihonor.appmarket', 'com.lenovo.leos.appstore', 'com.transsion.palmstore'],
  ...['com.indus.appstore', 'ru.vk.store', 'org.fdroid.fdroid'],
])
/** The system names none for `adb install`. A file is opened by its package installer, whose name makers change. */
const byHand = /^$|^com\.android\.shell$|(^|\.)packageinstaller$/

/** Betas are installed by hand too, and so are modified apps. Another installer may be a store that we do not know. */
export const sideloadedApp = signal({
  name: 'sideloadedApp',
  question: 'Was the app installed by hand, and not by a store?',
  version: 1,
  platforms: ['ANDROID'],
  judge({ facts: { appIntegrity } }): Finding<FlagResult> | undefined {
    const { installer } = appIntegrity ?? {}
    if (installer === undefined) return undefined
    if (byHand.test(installer)) return { verdict: { result: true }, reasons: [installer || 'no installer'] }
    return stores.has(installer) ? { verdict: { result: false }, reasons: [] } : undefined
  },
  weights: {
    sideloadedApp: {
      fires: resultOf,
      session: 0.1,
      because: 'no store installed the app; testers install by hand too',
    },
  },
  report: {
    field: 'sideloadedApp',
    value: resultOf,
    rule: { type: flag('No store installed the app (Android)'), read: ({ sideloadedApp }) => sideloadedApp },
  },
})
