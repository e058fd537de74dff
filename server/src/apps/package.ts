// Is this one of ours? What a platform's app is known by: the origin of a page, a bundle id, a package name.

import type { App, DevicePlatform } from './app.ts'

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

/**
 * Whether a call may come from where the browser says it does: of a WEB app the very page that it names, of the others a page of
 * the app's own. What is no browser has no origin.
 */
export function mayCallFrom(
  origin: string | undefined,
  { app, platform, packageName }: { app: App; platform: DevicePlatform; packageName: string },
): boolean {
  if (origin === undefined) return true
  return platform === 'WEB' ? origin === packageName : listsPackage(app, 'WEB', origin)
}

/** What an origin may be listed as: itself, and where it is of this very machine, with any port. */
export function originKeys(origin: string): string[] {
  const [, host] = /^(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?$/.exec(origin) ?? []
  if (host !== undefined) return [origin, `${host}:*`]
  return origin.includes('*') ? [] : [origin]
}

/**
 * The origin as a browser spells it, or undefined for what can be none: scheme, host and port alone, without a path. The port may
 * be `*` on `localhost`, `127.0.0.1` and `[::1]`, where development servers take whichever is free.
 */
export function asOrigin(text: string): string | undefined {
  if (originKeys(text.replace(/:\*$/, '')).length === 2 && text.endsWith(':*')) return text
  if (!URL.canParse(text)) return undefined
  const { origin, protocol, href } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  return href === `${origin}/` && /^https?:\/\/[^/?#@*]+\/?$/.test(text) ? origin : undefined
}
