// What does a script tag add to the page? One global, `Ringfence`, which calls the service that the script came from.

import { createRingfence } from './ringfence.ts'

const script = document.currentScript as HTMLScriptElement | null

Object.assign(globalThis, { Ringfence: createRingfence(script?.src ? { baseUrl: new URL(script.src).origin } : {}) })
