// What does the script tag of /sdk/headless.js add to the page? `OTPless`, for the app id in its `data-appid`.

import { answerPage } from '../collect/worker.ts'
import { createRingfence } from '../ringfence.ts'
import { headlessClass } from './headless.ts'

if (typeof document === 'undefined') answerPage()
else {
  const script = document.currentScript as HTMLScriptElement | null
  const ringfence = createRingfence(script?.src ? { baseUrl: new URL(script.src).origin } : {})
  Object.assign(globalThis, { OTPless: headlessClass(ringfence, script?.dataset.appid ?? '') })
}
