// What are the settings of an app after a change? Command line and admin API check it alike.

import { nearestWord } from '../core/config/nearest-word.ts'
import { type AppSettings, appSettings } from './app-settings.ts'
import { factsByPlatform } from './sdk-config.ts'

/**
 * The settings with the changes; undefined and null restore a default.
 * @throws Error that names the first mistake
 */
export function changedSettings(before: Partial<AppSettings>, changes: Readonly<Record<string, unknown>>): AppSettings {
  const changed = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined && value !== null)
  const settings = appSettings(Object.fromEntries(changed))
  if (changes.collect !== undefined && changes.collect !== null) checkFacts(settings.collect)
  return settings
}

/** A misspelt fact would still be collected, without an error. */
function checkFacts(collect: AppSettings['collect']): void {
  const known = Object.values(factsByPlatform).flat()
  const unknown = Object.keys(collect).find((fact) => !known.includes(fact))
  if (unknown === undefined) return
  const meant = nearestWord(unknown, known)
  throw new Error(`collect: there is no fact ${unknown}${meant === undefined ? '' : `; did you mean ${meant}?`}`)
}
