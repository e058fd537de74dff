// Which theme is chosen? `system` leaves it to the style sheet, which follows the operating system.

import { useSyncExternalStore } from 'react'

export const themes = ['system', 'dark', 'light'] as const
export type Theme = (typeof themes)[number]

const key = 'ringfence-theme'
const changed = 'ringfence-theme-changed'

const isTheme = (text: string | null): text is Theme => themes.some((theme) => theme === text)

function chosenTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return isTheme(stored) ? stored : 'system'
  } catch {
    return 'system' // A browser may forbid storage.
  }
}

/** Applies the theme that was chosen on an earlier visit. */
export function applyTheme(): void {
  const theme = chosenTheme()
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

/** Stores a theme for this browser, and applies it. */
export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    return
  }
  applyTheme()
  dispatchEvent(new Event(changed))
}

/** From dark to light, or the other way. */
export function switchTheme(): void {
  const { theme } = document.documentElement.dataset
  const isDark = theme ? theme === 'dark' : !matchMedia('(prefers-color-scheme: light)').matches
  chooseTheme(isDark ? 'light' : 'dark')
}

/** The chosen theme; the component renders again when another is chosen, also in another tab. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme)
}

function subscribe(notify: () => void): () => void {
  const follow = () => {
    applyTheme()
    notify()
  }
  addEventListener('storage', follow)
  addEventListener(changed, notify)
  return () => {
    removeEventListener('storage', follow)
    removeEventListener(changed, notify)
  }
}
