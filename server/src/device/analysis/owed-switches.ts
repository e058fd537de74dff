// Which of an app's switches excuse a report? A version that only the configuration call named excuses from nothing.

import type { Facts } from '@ringfence/contract'
import type { SdkSession } from '../../apps/app.ts'
import { switchesFor } from '../../apps/collect.ts'
import { idFactsOf } from '../identity/phone-ids.ts'

type Session = Pick<SdkSession, 'app' | 'platform' | 'systemVersion'>

/**
 * As `switchesFor`, where the facts name the version of the session, or the app does not collect it. A program may forge both: so a list
 * of versions never excuses a phone from its last id, without which it has no history.
 */
export function owedSwitches(session: Session, facts: Facts): Readonly<Record<string, boolean>> {
  const { systemVersion: _, ...ofAnyVersion } = session
  const asked = switchesFor(session)
  const named = facts.deviceModel?.systemVersion
  const isSame = named === undefined ? asked.deviceModel === false : plain(named) === plain(session.systemVersion)
  const switches = isSame ? asked : switchesFor(ofAnyVersion)
  const last = lacksIds(session.platform, switches) ? idsByVersion(session).at(-1) : undefined
  return last === undefined ? switches : { ...switches, [last]: true }
}

/** Systems, such as `ANDROID 8.1`, on which the lists of an app leave no id of a phone. */
export const systemsWithoutId = (app: Session['app']): string[] =>
  (['IOS', 'ANDROID'] as const).flatMap((platform) => {
    const named = idsByVersion({ app, platform }).flatMap((name) => app.settings.collect[name] as string[])
    return [...new Set(named)].filter((system) => {
      const [ofPlatform, systemVersion] = system.split(' ') as [string, string]
      return ofPlatform === platform && lacksIds(platform, switchesFor({ app, platform, systemVersion }))
    })
  })

const lacksIds = (platform: Session['platform'], switches: Readonly<Record<string, boolean>>): boolean =>
  idFactsOf(platform).every((name) => switches[name] === false)

/** The ids that the app switches off for some versions only. */
const idsByVersion = ({ app, platform }: Session): string[] =>
  idFactsOf(platform).filter((name) => Array.isArray(app.settings.collect[name]))

/** An iPhone says 17.4 in one place and 17.4.0 in another. */
const plain = (version: string | undefined): string | undefined => version?.replace(/(\.0+)+$/, '')
