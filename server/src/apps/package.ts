// Does this origin, bundle id or package name belong to the app?

import { BundleId, type DevicePlatform, PackageName } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { nameForCallers, pasteable } from '../core/command-name.ts'
import type { App } from './app.ts'

/** Whether the app lists the origin, bundle id or package name. */
export function listsPackage(app: App, platform: DevicePlatform, packageName: string): boolean {
  switch (platform) {
    case 'WEB':
      return originKeys(packageName).some((key) => app.origins.includes(key))
    case 'IOS':
      return app.bundleIds.includes(packageName)
    case 'ANDROID':
      return app.packageNames.includes(packageName)
  }
}

interface Kind {
  readonly name: string
  readonly option: string
  /** The name as the setting stores it; undefined when it refuses the text. */
  readonly listed: (text: string) => string | undefined
}

const matching = (schema: TSchema) => (text: string) => (Value.Check(schema, text) ? text : undefined)

const kinds: Readonly<Record<DevicePlatform, Kind>> = {
  WEB: { name: 'origin', option: '--origin', listed: asOrigin },
  IOS: { name: 'bundle id', option: '--bundle-id', listed: matching(BundleId) },
  ANDROID: { name: 'package name', option: '--package-name', listed: matching(PackageName) },
}

/**
 * What the app does not list, and the command that lists it. Anybody may have sent it, and somebody pastes it: only what the setting
 * accepts is repeated.
 */
export function unlisted({ id }: App, platform: DevicePlatform, packageName: string): string {
  const { name, option, listed } = kinds[platform]
  const sent = listed(packageName)
  const todo = `ringfence apps update ${id} ${option} ${sent ?? '…'} ${option} …`
  return pasteable(`the ${name} ${sent ?? 'that was sent'}. List it beside the others: ${todo}`, nameForCallers)
}

/**
 * Whether a call may come from this origin. A WEB session must have the same origin, other
 * platforms any origin of the app. Callers other than browsers send no origin.
 */
export function mayCallFrom(
  origin: string | undefined,
  { app, platform, packageName }: { app: App; platform: DevicePlatform; packageName: string },
): boolean {
  if (origin === undefined) return true
  return platform === 'WEB' ? origin === packageName : listsPackage(app, 'WEB', origin)
}

/** How the origin can be listed: as itself, or on localhost also with any port (`:*`). */
export function originKeys(origin: string): string[] {
  const [, host] = /^(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?$/.exec(origin) ?? []
  if (host !== undefined) return [origin, `${host}:*`]
  return origin.includes('*') ? [] : [origin]
}

/** Of a host that can exist: a URL may have one with $, ( or ; too. */
const originForm = /^https?:\/\/([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?$/

/**
 * The origin as a browser sends it: scheme, host and port, without a path. Undefined when the text
 * is not an origin. The port may be `*` on `localhost`, `127.0.0.1` and `[::1]`, because
 * development servers use any free port.
 */
export function asOrigin(text: string): string | undefined {
  if (originKeys(text.replace(/:\*$/, '')).length === 2 && text.endsWith(':*')) return text
  if (!URL.canParse(text)) return undefined
  const { origin, protocol, href } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const isWhole = href === `${origin}/` && /^https?:\/\/[^/?#@]+\/?$/.test(text)
  return isWhole && originForm.test(origin) ? origin : undefined
}
