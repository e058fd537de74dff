// Which facts does an app switch off on one phone? Its setting `collect`, with the versions of systems that it names.

import type { SdkSession } from './app.ts'

/** Facts by name. A phone whose version is not known is none of those that the app names. */
export function switchesFor({
  app,
  platform,
  systemVersion,
}: Pick<SdkSession, 'app' | 'platform' | 'systemVersion'>): Readonly<Record<string, boolean>> {
  const system = `${platform} ${systemVersion}.`
  // With the point, so that 8 names 8.1 and not 80.
  const isNamed = (named: string) => system.startsWith(named) && system[named.length] === '.'
  const switches: Record<string, boolean> = {}
  for (const [fact, setting] of Object.entries(app.settings.collect)) {
    if (typeof setting === 'boolean') switches[fact] = setting
    else if (setting.some(isNamed)) switches[fact] = false
  }
  return switches
}
