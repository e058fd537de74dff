// What is a cause? Something that happened to a device, as the device reports it, and the fields that it must show.

import type { DevicePlatform, DeviceReport, Facts, SecureInfoDetail } from '@ringfence/contract'
import type { ListKind } from '../../../core/config/ip-data-settings.ts'

/** A detector of `secure_info`; the parts of `vpn` each for itself. */
export type Detector =
  | `secure_info.${Exclude<keyof SecureInfoDetail, 'vpn'> & string}`
  | `secure_info.vpn.${'result' | 'originCountry' | 'originTimezone' | 'timezoneMismatch' | 'publicVPN' | 'auxiliaryMobile' | 'osMismatch'}`

/** Where the values come from, with the address at which they can be checked. */
export interface Source {
  readonly text: string
  readonly url?: string
}

export interface Cause {
  /** In words, for the page. */
  readonly happened: string
  readonly platform: DevicePlatform
  /** A recording of a real browser, whose facts and headers are sent; without it, those of the ordinary sample of the platform. */
  readonly recording?: string
  /** Facts of the source, instead of the same ones of recording or sample. */
  readonly facts?: Facts
  readonly headers?: Readonly<Record<string, string>>
  /** A line of a published list, and the IP address from which the device calls. */
  readonly listed?: { readonly kind: ListKind; readonly line: string; readonly address: string }
  /** The package name or bundle id under which the app was published. */
  readonly publishedAs?: string
  /** What the app adds to the push. */
  readonly params?: Readonly<Record<string, string>>
  /** The fields that differ from those of an ordinary device, or of one about which nothing is known. */
  readonly shows: readonly (keyof DeviceReport | Detector)[]
  readonly source: Source
  /**
   * `here`: our own recording. `reported`: somebody reports it of a device of theirs. `never`: made up from documentation, never seen
   * on a real device.
   */
  readonly seen: 'here' | 'reported' | 'never'
}

/** An issue or pull request on GitHub, as `owner/repository#number`. */
export function thread(name: string): Source {
  const [repository, number] = name.split('#')
  return { text: name, url: `https://github.com/${repository}/issues/${number}` }
}

/** A file on GitHub at one commit. */
export const file = (repository: string, commit: string, path: string): Source => ({
  text: `${repository}: ${path}`,
  url: `https://github.com/${repository}/blob/${commit}/${path}`,
})

export const recordedIn = (browser: string): Source => ({ text: `our own recording in ${browser}` })
