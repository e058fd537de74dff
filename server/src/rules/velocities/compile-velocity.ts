// Which key and which value of a decision does a velocity count? Compiled once, like conditions.

import { createHash } from 'node:crypto'
import { cidrOf, parseAddress } from '../../core/address/address.ts'
import { compileCondition } from '../language/compile.ts'
import { pathsIn } from '../language/condition.ts'
import type { InList } from '../language/list.ts'
import { findPath } from '../language/paths.ts'
import type { Velocity, VelocityKey } from '../language/rule.ts'
import { printCondition } from '../language/text.ts'
import type { RuleInput } from '../language/vocabulary.ts'
import { velocityId } from './key-counts.ts'
import { type Contribution, unitsOf } from './window.ts'

/** What a decision adds: a value to count, for `distinct`, or an amount. */
export interface Added extends Contribution {
  /** The distinct value as text, with its type. */
  readonly value?: string
}

export interface CompiledVelocity {
  readonly velocity: Velocity
  /** Of the definition without its name. A velocity that is defined differently begins again at 0. */
  readonly id: string
  /** Whose decisions are counted, with the kind of key; undefined when it is not known, and so the velocity. */
  keyOf(input: RuleInput): string | undefined
  /** What this decision adds; undefined when `when` does not hold, or the value is not known. */
  addedBy(input: RuleInput, inList?: InList): Added | undefined
}

export const compileVelocities = (velocities: readonly Velocity[]): CompiledVelocity[] => velocities.map(compile)

function compile(velocity: Velocity): CompiledVelocity {
  const { measure, path, per, withinMs, when } = velocity
  const readKey = keyReaderOf(per)
  const holds = when && compileCondition(when)
  const read = path === undefined ? undefined : findPath(path)!.read
  const once: Added = { units: 0 }
  const valueIn = (input: RuleInput): Added | undefined => {
    if (!read) return once
    const value = read(input)
    if (measure === 'sum') {
      const units = unitsOf(value)
      return units === undefined ? undefined : { units }
    }
    return isReadable(value) ? { units: 0, value: `${path} ${typeof value} ${value}` } : undefined
  }
  const definition = JSON.stringify([measure, path ?? '', per, withinMs, when ? printCondition(when) : ''])
  return {
    velocity,
    id: velocityId(measure, withinMs, createHash('sha256').update(definition).digest()),
    keyOf: (input) => {
      const key = readKey(input)
      return key === undefined || key === '' ? undefined : `${per} ${key}`
    },
    addedBy: (input, inList) => (!holds || holds(input, inList) ? valueIn(input) : undefined),
  }
}

/** Only a decision has a user and a phone number: a page could name anyone in a device report. */
type KeyReader = (input: RuleInput) => string | undefined

const subjectReaders: Readonly<Record<Exclude<VelocityKey, `params.${string}`>, KeyReader>> = {
  user: ({ userId }) => userId,
  phoneNumber: ({ phoneNumber }) => phoneNumber,
  emailMailbox: ({ email }) => email?.mailbox,
  device: ({ deviceId }) => deviceId,
  installation: ({ installationId }) => installationId,
  ip: ({ ip }) => (ip === undefined ? undefined : parseAddress(ip)?.text),
  ipPrefix: ({ ip }) => {
    const address = ip === undefined ? undefined : parseAddress(ip)
    return address && cidrOf(address, address.words.length === 1 ? 24 : 64)
  },
}

const subjectPaths: Readonly<Record<keyof typeof subjectReaders, string>> = {
  user: 'userId',
  phoneNumber: 'phoneNumber',
  emailMailbox: 'email.mailbox',
  device: 'deviceId',
  installation: 'installationId',
  ip: 'ip',
  ipPrefix: 'ip',
}

/** Every path that a velocity reads. */
export const pathsOfVelocity = ({ path, per, when }: Velocity): string[] => [
  isParam(per) ? per : subjectPaths[per],
  ...(path === undefined ? [] : [path]),
  ...(when ? pathsIn(when) : []),
]

function keyReaderOf(per: VelocityKey): KeyReader {
  if (!isParam(per)) return subjectReaders[per]
  const { read } = findPath(per)!
  return (input) => {
    const value = read(input)
    return isReadable(value) ? `${typeof value} ${value}` : undefined
  }
}

const isParam = (per: VelocityKey): per is `params.${string}` => per.startsWith('params.')

/** Text, true, false or a number, as everywhere in rules. */
const isReadable = (value: unknown): value is string | number | boolean =>
  (typeof value === 'string' && value !== '') ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && !Number.isNaN(value))
