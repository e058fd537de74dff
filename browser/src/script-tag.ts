// What does a script tag add to the page? One global, `Ringfence`, set to the script's origin.

import { createRingfence } from './ringfence.ts'

const script = document.currentScript as HTMLScriptElement | null

Object.assign(globalThis, { Ringfence: createRingfence(script?.src ? { baseUrl: new URL(script.src).origin } : {}) })
