// Which native functions were replaced? Scripts do that to disguise a browser.

type Callable = (...args: unknown[]) => unknown

/** The most revealing functions that libraries have no reason to replace. */
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

/**
 * Replaced functions, `Navigator.webdriver`, and properties on an object itself instead of its
 * prototype, `navigator.webdriver`.
 */
export function alteredFunctions(): string[] {
  const altered = Object.getOwnPropertyNames(navigator).map((name) => `navigator.${name}`)
  for (const [holder, names] of watched) {
    const prototype = (window as unknown as Record<string, { prototype: object } | undefined>)[holder]?.prototype
    if (!prototype) continue
    for (const name of names.split(' ')) {
      const property = Object.getOwnPropertyDescriptor(prototype, name)
      const current = (property?.get ?? property?.value) as Callable | undefined
      if (current && !isNative(current, name, Boolean(property?.get), prototype)) altered.push(`${holder}.${name}`)
    }
  }
  if (!isNative(Function.prototype.toString as Callable, 'toString', false, undefined))
    altered.push('Function.toString')
  return altered.slice(0, 64)
}

/**
 * A native function has no prototype, has the right name, is no proxy, and throws when called on
 * the wrong object.
 */
function isNative(callable: Callable, name: string, isGetter: boolean, prototype: object | undefined): boolean {
  if (Object.getOwnPropertyNames(callable).some((key) => key === 'prototype' || key === 'arguments')) return false
  const text = Function.prototype.toString.call(callable).replace(/\s+/g, ' ').trim()
  if (![name, `get ${name}`].some((shown) => text === `function ${shown}() { [native code] }`)) return false
  return !isGetter || throwsAtOnce(callable, prototype)
}

/**
 * A native getter throws when it is called on its prototype. A replaced one leaves its own frame in
 * the stack.
 */
function throwsAtOnce(getter: Callable, prototype: object | undefined): boolean {
  try {
    getter.call(prototype)
    return false
  } catch (error) {
    return error instanceof TypeError && depth(error) === depth(new Error())
  }
}

/** Counts script frames only: Safari lists native frames too. */
const depth = ({ stack }: Error) => (stack ?? '').split('\n').filter((line) => /:\d+:\d+\)?$/.test(line)).length
