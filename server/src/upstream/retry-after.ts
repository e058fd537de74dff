// For how long did an upstream ask for no more requests? Its header Retry-After (RFC 9110 section 10.2.3).

import type { HttpResponse } from './collected.ts'

/** An upstream must not be able to switch itself off for long. */
const longestPauseMs = 60_000

/** 0 for a response that asks for no pause: only 429 and 503 do. */
export function retryAfterMs({ status, headers }: HttpResponse, nowMs: number): number {
  const value = headers['retry-after']
  if ((status !== 429 && status !== 503) || typeof value !== 'string') return 0
  const pauseMs = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs
  return pauseMs > 0 ? Math.min(pauseMs, longestPauseMs) : 0
}
