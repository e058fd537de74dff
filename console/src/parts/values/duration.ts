// How long is that? In the largest unit that says enough.

import { locale } from './locale.ts'

export function durationText(seconds: number | undefined): string {
  if (seconds === undefined) return '–'
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = seconds / 60
  if (minutes < 90) return `${Math.round(minutes)} min`
  const hours = minutes / 60
  return hours < 72 ? `${(Math.round(hours * 10) / 10).toLocaleString(locale)} h` : `${Math.round(hours / 24)} days`
}
