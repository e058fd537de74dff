// What does every browser of its engine send, whatever the device? The facts without which a report is incomplete.

import type { WebFacts } from '@ringfence/contract'
import { inventedBrand } from '@ringfence/server/device/analysis/brands.ts'
import { claimedEngine, claimedVersion } from '@ringfence/server/device/analysis/engine.ts'
import { featuresOf } from '@ringfence/server/device/analysis/language-features.ts'

export function owedOf({ userAgent, languages = [], clientHints }: WebFacts): WebFacts {
  const engine = claimedEngine(userAgent)
  const isV8 = engine === 'chromium'
  const version = claimedVersion(userAgent)
  return {
    ...(languages[0] !== undefined && { language: languages[0] }),
    cookieEnabled: true,
    pageCanvasExact: true,
    ...(clientHints && { clientHints: { ...clientHints, brands: brandsOf(version) } }),
    storage: { localStorage: true, sessionStorage: true, indexedDB: true },
    engine: {
      nativeTextLength: isV8 ? 33 : 38,
      isV8,
      features: engine && version !== undefined ? featuresOf(engine, version) : [],
    },
    ...(isV8 && { inspection: { stacksWritten: 0 } }),
  }
}

function brandsOf(version = 0): NonNullable<NonNullable<WebFacts['clientHints']>['brands']> {
  const invented = inventedBrand(version)
  return [{ brand: 'Chromium', version: `${version}` }, ...(invented ? [invented] : [])]
}
