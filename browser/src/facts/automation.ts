// Is this browser automated or inspected?
// Tools hide their traces, and the newest hide the most, so the absence of a trace proves nothing.

import { type Callable, inFreshRealm, isNative, type Realm, tellsNative } from '../collect/realm.ts'
import { nextTask } from '../collect/turns.ts'

const onWindow =
  /^(\$?[ck]dc_|\$chrome_async|__webdriver|__driver|__selenium|callSelenium|__fxdriver|__playwright|__pw|__puppeteer|__nightmare|_phantom$|callPhantom|domAutomation)/
const onRoot = /^(webdriver|selenium|driver)$/

/** `navigator.webdriver`, and globals that tools leave behind. */
export function automation() {
  const names = [window, document].flatMap((holder) => Object.getOwnPropertyNames(holder))
  return {
    webdriver: navigator.webdriver === true,
    globals: [
      ...names.filter((name) => onWindow.test(name)),
      ...document.documentElement.getAttributeNames().filter((name) => onRoot.test(name)),
    ].slice(0, 16),
    chromeObject: 'chrome' in window,
    ...('Notification' in window && { notificationPermission: Notification.permission }),
  }
}

const awaits = 1000
const rounds = 3

/**
 * Whether a debugging protocol or developer tools inspect this page; V8 only.
 *
 * When somebody reads the console, V8 formats the stack of a logged error, and calls a function of
 * the page for it. Developer tools also trace asynchronous calls, which makes an `await` many times
 * slower; protocol clients do not. The message has the level `debug`, which consoles hide by
 * default.
 */
export async function inspection() {
  if (!('v8BreakIterator' in Intl)) return undefined
  const written = stacksWritten(window) ?? (await inFreshRealm(stacksWritten))
  if (written === undefined) return undefined
  // The page's clock may stand still or lie.
  const ratio = written > 0 ? await inFreshRealm(awaitRatio) : undefined
  return { stacksWritten: written, ...(ratio !== undefined && { awaitRatio: ratio }) }
}

/** Undefined if scripts replaced the console or its errors, because those may read stacks too. */
function stacksWritten(realm: Realm): number | undefined {
  const V8 = realm.Error as { prepareStackTrace?: unknown }
  const isOwn = tellsNative(realm) && isNative(realm, realm.console.debug as Callable, 'debug')
  if (!isOwn || Object.getPrototypeOf(realm.TypeError) !== V8) return undefined
  const own = Object.getOwnPropertyDescriptor(V8, 'prepareStackTrace')
  let written = 0
  try {
    V8.prepareStackTrace = () => {
      written++
      return ''
    }
    realm.console.debug(new realm.Error())
  } finally {
    if (own) Object.defineProperty(V8, 'prepareStackTrace', own)
    else delete V8.prepareStackTrace
  }
  return written
}

/**
 * Time of awaits divided by time of arithmetic, which removes the speed of the machine. The best of
 * three rounds.
 */
async function awaitRatio(realm: Realm): Promise<number | undefined> {
  const { performance } = realm
  if (!isNative(realm, performance.now as Callable, 'now')) return undefined
  let waited = Number.POSITIVE_INFINITY
  let computed = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    await nextTask() // with developer tools open, a round takes long
    const start = performance.now()
    for (let count = 0; count < awaits; count++) await undefined
    const middle = performance.now()
    let sum = 0
    for (let count = 0; count < awaits * 30; count++) sum = Math.sqrt(sum + count)
    waited = Math.min(waited, middle - start)
    // The clock has a resolution of 0.1 ms. Using `sum` keeps the engine from removing the loop.
    computed = Math.min(computed, Math.max(performance.now() - middle, sum < 0 ? 1 : 0.1))
  }
  return Math.round((waited / computed) * 100) / 100
}
