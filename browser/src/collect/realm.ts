// Which functions are the browser's own? Scripts of the page may have replaced some; a new frame has all of them as they were.

export type Callable = (this: unknown, ...args: unknown[]) => unknown
export type Realm = Window & typeof globalThis

/** Runs `work` with the globals of a new frame; with those of the page, where it may have no frames. */
export async function inFreshRealm<Result>(work: (realm: Realm) => Result): Promise<Awaited<Result>> {
  const frame = document.createElement('iframe')
  frame.hidden = true
  document.documentElement.append(frame)
  try {
    return await work((frame.contentWindow ?? window) as Realm)
  } finally {
    frame.remove()
  }
}

/** A native function has no prototype and the right name, according to the Function.toString of `judge`. */
export function isNative(judge: Realm, callable: Callable, name: string): boolean {
  if (Object.getOwnPropertyNames(callable).some((key) => key === 'prototype' || key === 'arguments')) return false
  const text = judge.Function.prototype.toString.call(callable).replace(/\s+/g, '')
  return [name, `get${name}`].some((shown) => text === `function${shown}(){[nativecode]}`)
}

/** Whether the page can tell its native functions: error reporters replace this one to hide what they wrap. */
export const tellsNative = (realm: Realm): boolean =>
  isNative(realm, realm.Function.prototype.toString as Callable, 'toString')
