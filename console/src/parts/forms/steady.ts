// When may something that appears or disappears move what is below it? Not while somebody presses: the button would leave the pointer, and no click would happen.

import { useState, useSyncExternalStore } from 'react'

let isPressing = false
let ending: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function set(now: boolean): void {
  clearTimeout(ending)
  if (isPressing === now) return
  isPressing = now
  for (const changed of listeners) changed()
}
const begin = () => set(true)
/** The click comes right after the pointer is up. */
function end(): void {
  clearTimeout(ending)
  ending = setTimeout(() => set(false))
}
// A touch moves the focus only with the mouse events that follow it.
for (const event of ['pointerdown', 'mousedown']) addEventListener(event, begin, true)
for (const event of ['pointerup', 'pointercancel', 'mouseup']) addEventListener(event, end, true)

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** The value; while somebody presses, as it was before. */
export function useSteady<Value>(value: Value): Value {
  const isHeld = useSyncExternalStore(subscribe, () => isPressing)
  const [steady, setSteady] = useState(value)
  if (!isHeld && steady !== value) setSteady(value)
  return isHeld ? steady : value
}
