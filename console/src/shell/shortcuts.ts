// Which keys does the console know? Single keys and two in a row, never while somebody types.

import { useEffect, useRef } from 'react'

/** By key, such as `/`, `?`, `j`, or two in a row: `g l`. */
type Shortcuts = Readonly<Record<string, () => void>>

/** How long the second of two keys may take. */
const secondKeyMs = 1_500

/** The first of two keys. After it no page takes the second one for its own: `g b` blocks nothing. */
const leading = 'g'

const typing = 'input, textarea, select, [contenteditable="true"], [role="textbox"]'
const withOwnKeys = '[role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]'

/** Calls what belongs to the keys while the component is there. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts)
  useEffect(() => {
    current.current = shortcuts
  })
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    const press = (event: KeyboardEvent) => {
      const { key, target, timeStamp } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (target instanceof Element && target.closest(`${typing}, ${withOwnKeys}`)) return
      const both = first && timeStamp - first.at < secondKeyMs ? `${first.key} ${key}` : undefined
      const isSecond = first !== undefined && both !== undefined
      first = undefined
      const action = isSecond ? current.current[both] : current.current[key]
      if (action) {
        event.preventDefault()
        action()
      } else if (!isSecond && key === leading) {
        first = { key, at: timeStamp }
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
