// Which word did a person probably mean? The nearest of the allowed words, when it is near enough to suggest.

import { distance } from 'fastest-levenshtein'

const longest = 64

/**
 * The candidate with the smallest share of changed letters; undefined when each has more than one change and more than a
 * third of its letters changed. Of a candidate with dots, the name after the last dot counts too.
 */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longest) return undefined
  const wanted = word.toLowerCase()
  let nearest: { word: string; share: number } | undefined
  for (const candidate of candidates) {
    for (const name of new Set([candidate.toLowerCase(), lastName(candidate)])) {
      const mostChanges = Math.max(1, Math.floor(name.length / 3))
      const changes = changesBetween(wanted, name)
      const share = changes / name.length
      if (changes <= mostChanges && share < (nearest?.share ?? 1)) nearest = { word: candidate, share }
    }
  }
  return nearest?.word
}

export const lastName = (path: string) => path.slice(path.lastIndexOf('.') + 1).toLowerCase()

/** The Levenshtein distance, except that two letters that changed places are one change: a common slip. */
function changesBetween(a: string, b: string): number {
  const changes = distance(a, b)
  return changes === 2 && sorted(a) === sorted(b) ? 1 : changes
}

const sorted = (word: string) => [...word].sort().join('')
