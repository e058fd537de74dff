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
    for (const start of startsOf(candidate)) {
      const length = candidate.length - start
      const mostChanges = Math.max(1, Math.floor(length / 3))
      // Each letter more or less is a change, so most candidates need no comparison.
      if (Math.abs(length - wanted.length) > mostChanges) continue
      const changes = changesBetween(wanted, candidate.slice(start).toLowerCase())
      const share = changes / length
      if (changes <= mostChanges && share < (nearest?.share ?? 1)) nearest = { word: candidate, share }
    }
  }
  return nearest?.word
}

const startsOf = (candidate: string) => {
  const dot = candidate.lastIndexOf('.')
  return dot === -1 ? [0] : [0, dot + 1]
}

export const lastName = (path: string) => path.slice(path.lastIndexOf('.') + 1).toLowerCase()

/** The Levenshtein distance, except that two letters that changed places are one change: a common slip. */
function changesBetween(a: string, b: string): number {
  const changes = distance(a, b)
  return changes === 2 && sorted(a) === sorted(b) ? 1 : changes
}

const sorted = (word: string) => [...word].sort().join('')
