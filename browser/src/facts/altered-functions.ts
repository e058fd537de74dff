// Which functions of the browser are not its own any more? Scripts that disguise a browser replace those that would tell.

type Callable = (...args: unknown[]) => unknown

/** What tells most, and what libraries have no reason to touch. */
const watched: readonly (readonly [holder: string, names: string])[] = [
  [
    'Navigator',
    'webdriver userAgent platform vendor languages language hardwareConcurrency deviceMemory plugins maxTouchPoints',
  ],
  ['NavigatorUAData', 'brands platform getHighEntropyValues'],
  ['Screen', 'width height availWidth availHeight colorDepth'],
  ['HTMLCanvasElement', 'toDataURL toBlob getContext'],
  ['CanvasRenderingContext2D', 'getImageData measureText'],
  ['OffscreenCanvas', 'getContext convertToBlob'],
  ['WebGLRenderingContext', 'getParameter getExtension readPixels'],
  ['AudioBuffer', 'getChannelData'],
  ['Permissions', 'query'],
  ['MediaDevices', 'enumerateDevices'],
  ['Date', 'getTimezoneOffset'],
]

/** Names like `Navigator.webdriver`; those that an object has of its own, where only its prototype should, like `navigator.webdriver`. */
export function alteredFunctions(): string[] {
  const altered = Object.getOwnPropertyNames(navigator).map((name) => `navigator.${name}`)
  for (const [holder, names] of watched) {
    const prototype = (window as unknown as Record<string, { prototype: object } | undefined>)[holder]?.prototype
    if (!prototype) continue
    for (const name of names.split(' ')) {
      const property = Object.getOwnPropertyDescriptor(prototype, name)
      const own = (property?.get ?? property?.value) as Callable | undefined
      if (own && !isNative(own, name, Boolean(property?.get), prototype)) altered.push(`${holder}.${name}`)
    }
  }
  if (!isNative(Function.prototype.toString as Callable, 'toString', false, undefined))
    altered.push('Function.toString')
  return altered.slice(0, 64)
}

/** A native function has no prototype, names itself, is no proxy, and refuses what is not its own kind of object. */
function isNative(own: Callable, name: string, isGetter: boolean, prototype: object | undefined): boolean {
  if (Object.getOwnPropertyNames(own).some((key) => key === 'prototype' || key === 'arguments')) return false
  const text = Function.prototype.toString.call(own).replace(/\s+/g, ' ').trim()
  if (![name, `get ${name}`].some((told) => text === `function ${told}() { [native code] }`)) return false
  return !isGetter || refuses(own, prototype)
}

/** Called on its prototype, a native getter throws at once; one that goes through a script has that script in its stack. */
function refuses(own: Callable, prototype: object | undefined): boolean {
  try {
    own.call(prototype)
    return false
  } catch (error) {
    return error instanceof TypeError && depth(error) === depth(new Error())
  }
}

/** Frames of scripts; Safari lists native ones too. */
const depth = ({ stack }: Error) => (stack ?? '').split('\n').filter((line) => /:\d+:\d+\)?$/.test(line)).length
