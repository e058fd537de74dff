// Did scripts replace functions to disguise the browser?
// Session replay, tag managers, zones and date mocks wrap functions too and change no value: only a wrapper with an effect
// counts. Each engine writes stacks its own way.

import { hash } from '../collect/hash.ts'
import { type Callable, inFreshRealm, isNative, type Realm, tellsNative } from '../collect/realm.ts'

/** The most revealing functions, and an object to call them on. */
const watched: readonly (readonly [holder: string, names: string, subject: () => unknown])[] = [
  [
    'Navigator',
    'webdriver userAgent platform vendor languages language hardwareConcurrency deviceMemory plugins maxTouchPoints',
    () => navigator,
  ],
  ['NavigatorUAData', 'brands platform getHighEntropyValues', () => Reflect.get(navigator, 'userAgentData')],
  ['Screen', 'width height availWidth availHeight colorDepth', () => screen],
  ['HTMLCanvasElement', 'toDataURL toBlob getContext', () => painted(document.createElement('canvas')).canvas],
  ['CanvasRenderingContext2D', 'getImageData measureText', () => painted(document.createElement('canvas'))],
  ['OffscreenCanvas', 'getContext convertToBlob', () => painted(new OffscreenCanvas(300, 150)).canvas],
  [
    'WebGLRenderingContext',
    'getParameter getExtension readPixels',
    () => {
      const gl = document.createElement('canvas').getContext('webgl')
      gl?.clearColor(0.2, 0.4, 0.6, 1)
      gl?.clear(gl.COLOR_BUFFER_BIT)
      return gl
    },
  ],
  ['AudioBuffer', 'getChannelData', () => sounding()],
  ['Permissions', 'query', () => navigator.permissions],
  ['MediaDevices', 'enumerateDevices', () => navigator.mediaDevices],
  ['Date', 'getTimezoneOffset', () => new Date(1.7e12)],
]

/** Of `getParameter`: the renderer, masked and not, and the largest texture. `readPixels` reads one, as RGBA. */
const calls: Readonly<Record<string, readonly unknown[][]>> = {
  getHighEntropyValues: [[['architecture', 'model', 'platformVersion']]],
  getContext: [['2d']],
  getImageData: [[0, 0, 99, 99]],
  measureText: [['Waffle']],
  getParameter: [[7937], [37446], [3379]],
  readPixels: [[0, 0, 1, 1, 6408, 5121, new Uint8Array(4)]],
  getExtension: [['WEBGL_debug_renderer_info']],
  getChannelData: [[0]],
  query: [[{ name: 'notifications' }]],
}

interface Altered {
  readonly name: string
  readonly holder: string
  readonly member: string
  readonly subject: () => unknown
}

/**
 * What scripts replaced: functions, `Navigator.webdriver`, and properties on an object itself instead of its prototype,
 * `navigator.webdriver`. Without a fresh realm to compare with, everything counts that is replaced.
 */
export async function alteredFunctions(): Promise<string[]> {
  const seen = replaced(window, window)
  if (seen.length === 0 && tellsNative(window)) return []
  return inFreshRealm(async (realm) => {
    const isFresh = realm !== window && replaced(realm, realm).length === 0
    // A replaced Function.toString may hide others from the page's own.
    const counted = []
    for (const each of isFresh ? replaced(window, realm) : seen)
      if (!isFresh || (await hasEffect(each, realm))) counted.push(each.name)
    return counted
  })
}

/** `judge`: whose Function.toString shows what is native. */
function replaced(realm: Realm, judge: Realm): Altered[] {
  const altered: Altered[] = Object.getOwnPropertyNames(realm.navigator).map((member) => ({
    name: `navigator.${member}`,
    holder: '',
    member,
    subject: () => navigator,
  }))
  for (const [holder, names, subject] of watched) {
    const prototype = prototypeOf(realm, holder)
    for (const member of prototype ? names.split(' ') : []) {
      const property = Object.getOwnPropertyDescriptor(prototype, member)
      const current = (property?.get ?? property?.value) as Callable | undefined
      if (current && !(isNative(judge, current, member) && (!property?.get || throwsAtOnce(current, prototype))))
        altered.push({ name: `${holder}.${member}`, holder, member, subject })
    }
  }
  return altered
}

const prototypeOf = (realm: Realm, holder: string) =>
  (Reflect.get(realm, holder) as { prototype: object } | undefined)?.prototype

/** Whether the page's function returns something else than that of a realm without its scripts, which must agree with itself. */
async function hasEffect({ holder, member, subject }: Altered, realm: Realm): Promise<boolean> {
  try {
    if (!holder && !(member in realm.navigator)) return false
    const on = subject()
    // Such as WebGL, where the browser has none.
    if (on == null) return false
    for (const args of calls[member] ?? [[]]) {
      // Last the page's: a wrapper may write its noise into the object.
      const results = [realm, realm, window].map((each) =>
        shown(
          holder
            ? resultOf(functionOf(each as Realm, holder, member), member, on, args)
            : Reflect.get(each.navigator, member),
        ),
      )
      const [fresh, again, own] = await Promise.all(results)
      if (fresh === again && fresh !== own) return true
    }
    return false
  } catch {
    return true
  }
}

function functionOf(realm: Realm, holder: string, member: string): Callable {
  const property = Object.getOwnPropertyDescriptor(prototypeOf(realm, holder), member)
  return property?.get ?? property?.value
}

/** What it returns, gives to a callback, or writes into its last argument. */
const resultOf = (call: Callable, member: string, on: unknown, args: readonly unknown[]): unknown =>
  member === 'toBlob' ? new Promise((resolve) => call.call(on, resolve)) : (call.apply(on, [...args]) ?? args.at(-1))

/** A text that is the same for equal results; made at once, before another call changes the object. */
function shown(value: unknown): string | Promise<string> {
  if (Object(value) !== value) return `${value}`
  const { then, arrayBuffer, data } = value as { then?: unknown; arrayBuffer?: unknown; data?: unknown }
  if (then) return (value as Promise<unknown>).then(shown)
  if (arrayBuffer) return (value as Blob).arrayBuffer().then((bytes) => hash(new Uint8Array(bytes)))
  const bytes = data ?? value
  if (ArrayBuffer.isView(bytes)) return hash(new Uint8Array(bytes.buffer))
  // Objects of the browser have no members of their own.
  return `${value}${JSON.stringify(value)}`
}

function painted(canvas: HTMLCanvasElement | OffscreenCanvas) {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  for (let x = 0; x < 99; x++) {
    context.fillStyle = `hsl(${x * 3},60%,40%)`
    context.fillRect(x, 0, 1, 99)
  }
  return context
}

function sounding(): AudioBuffer {
  const buffer = new AudioBuffer({ length: 9, sampleRate: 44100 })
  buffer.copyToChannel(Float32Array.of(1, 2, 3, 4, 5), 0)
  return buffer
}

/** A native getter throws when it is called on its prototype. A replaced one leaves its own frame in the stack. */
function throwsAtOnce(getter: Callable, prototype: object | undefined): boolean {
  const { name, stack } = thrownBy(getter, prototype) ?? {}
  // No error of the page's class: a zone may rewrite the stack of those.
  return name === 'TypeError' && depth(stack) === depth(thrownBy(undefined)?.stack)
}

function thrownBy(getter: Callable | undefined, on?: object): Error | undefined {
  try {
    ;(getter as Callable).call(on)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** Counts script frames only: Safari lists native frames too. */
const depth = (stack = '') => stack.split('\n').filter((line) => /:\d+:\d+\)?$/.test(line)).length
