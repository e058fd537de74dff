// Which conditions could tell fraud from the rest? Flags, thresholds from the quantiles of good sessions, and frequent texts.

import { findPath, type PathMeaning, paths, velocityMeaning, velocityPath } from '../language/paths.ts'
import { type Comparison, caps } from '../language/rule.ts'
import type { GroupedSession } from './sample.ts'

/** They name one person, device or place, so a rule about them would catch nobody else. */
const names = new Set([
  ...['sessionId', 'deviceId', 'installationId', 'userId', 'phoneNumber', 'email.address', 'email.mailbox', 'ip'],
  ...['login.ip', 'login.userId'],
  ...['updateInfo.userId', 'updateInfo.phoneNumber', 'gpsLocation.latitude', 'gpsLocation.longitude'],
])
/** Params of the sessions, the most frequent first. */
const mostParams = 50
/** Quantiles of good sessions: a rule may stop at most a tenth of them. */
const upperQuantiles = [0.9, 0.95, 0.99, 0.998]
const lowerQuantiles = [0.1, 0.05, 0.01]
/** A text must be that of this many bad groups. */
const leastGroupsOfText = 5
const mostTextsOfPath = 5

/** Comparisons over the vocabulary, these velocities and the params that occur. */
export function candidatesFrom(sessions: readonly GroupedSession[], velocities: readonly string[]): Comparison[] {
  const own = velocities.map((name) => velocityMeaning(velocityPath(name)))
  const params = paramsOf(sessions).flatMap((path) => findPath(path) ?? [])
  return [...paths, ...own, ...params]
    .filter(({ path }) => !names.has(path))
    .flatMap((meaning) => [
      ...flagsOf(meaning, sessions),
      ...thresholdsOf(meaning, sessions),
      ...textsOf(meaning, sessions),
    ])
}

function paramsOf(sessions: readonly GroupedSession[]): string[] {
  const counts = new Map<string, number>()
  for (const { input } of sessions) {
    for (const key of Object.keys(input.params ?? {})) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostParams)
    .map(([key]) => `params.${key}`)
    .filter(({ length }) => length <= caps.pathLength)
}

const valuesOf = ({ read }: PathMeaning, sessions: readonly GroupedSession[]) =>
  sessions.map(({ input }) => read(input))

function flagsOf(meaning: PathMeaning, sessions: readonly GroupedSession[]): Comparison[] {
  const values = new Set(valuesOf(meaning, sessions))
  return [true, false].flatMap((value) => (values.has(value) ? [{ op: '==' as const, path: meaning.path, value }] : []))
}

function thresholdsOf(meaning: PathMeaning, sessions: readonly GroupedSession[]): Comparison[] {
  const good = valuesOf(
    meaning,
    sessions.filter(({ isBad }) => !isBad),
  )
    .filter((value): value is number => typeof value === 'number' && Number.isFinite(value))
    .sort((a, b) => a - b)
  if (good.length === 0) return []
  const at = (quantile: number) => rounded(good[Math.min(good.length - 1, Math.floor(quantile * good.length))]!)
  const compared = (op: '>' | '<', quantiles: readonly number[]): Comparison[] =>
    [...new Set(quantiles.map(at))].map((value) => ({ op, path: meaning.path, value }))
  return [...compared('>', upperQuantiles), ...compared('<', lowerQuantiles)]
}

/** Three digits: a threshold with more would follow the sample. */
const rounded = (value: number) => Number(value.toPrecision(3))

function textsOf(meaning: PathMeaning, sessions: readonly GroupedSession[]): Comparison[] {
  const groups = new Map<string, Set<number>>()
  for (const { input, isBad, group } of sessions) {
    const value = isBad ? meaning.read(input) : undefined
    if (typeof value !== 'string' || value.length > caps.literalLength) continue
    const known = groups.get(value)
    if (known) known.add(group)
    else groups.set(value, new Set([group]))
  }
  return [...groups]
    .filter(([, { size }]) => size >= leastGroupsOfText)
    .sort((a, b) => b[1].size - a[1].size)
    .slice(0, mostTextsOfPath)
    .map(([value]) => ({ op: '==', path: meaning.path, value }))
}
