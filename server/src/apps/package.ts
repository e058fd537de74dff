// Does this origin, bundle id or package name belong to the app?

import type { DevicePlatform } from '@ringfence/contract'
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

const kinds: Readonly<Record<DevicePlatform, readonly [name: string, option: string]>> = {
  WEB: ['origin', '--origin'],
  IOS: ['bundle id', '--bundle-id'],
  ANDROID: ['package name', '--package-name'],
}

/** What the app does not list, and the command that lists it. Only a text that can be such a name is repeated. */
export function unlisted({ id }: App, platform: DevicePlatform, packageName: string): string {
  const [kind, option] = kinds[platform]
  const name = platform === 'WEB' ? asOrigin(packageName) : /^[\w.-]{1,255}$/.exec(packageName)?.[0]
  const todo = `ringfence apps update ${id} ${option} ${name ?? '…'} ${option} …`
  return pasteable(`the ${kind} ${name ?? 'that was sent'}. List it beside the others: ${todo}`, nameForCallers)
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
  return href === `${origin}/` && /^https?:\/\/[^/?#@*]+\/?$/.test(text) ? origin : undefined
}
