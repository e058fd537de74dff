// What does a script tag add to the page? One global, `Ringfence`, set to the script's origin.

import { answerPage } from './collect/worker.ts'
import { createRingfence } from './ringfence.ts'

// The worker runs the same text (scripts/build-browser-sdk.ts), so that a page loads it once.
if (typeof document === 'undefined') answerPage()
else {
  const script = document.currentScript as HTMLScriptElement | null
  Object.assign(globalThis, { Ringfence: createRingfence(script?.src ? { baseUrl: new URL(script.src).origin } : {}) })
}
