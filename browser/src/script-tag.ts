// What does the script of a tag leave on the page? One global, `Ringfence`, that knows where it came from.

import { createRingfence } from './ringfence.ts'

const script = document.currentScript as HTMLScriptElement | null

Object.assign(globalThis, { Ringfence: createRingfence(script?.src ? { baseUrl: new URL(script.src).origin } : {}) })
