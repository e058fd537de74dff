// From which IP addresses do people of the demo visit? Networks that the starter data place in these cities.

import type { Random } from './random.ts'

const networks = {
  mumbai: ['49.36.10', '49.36.110', '49.37.40', '157.45.20'],
  delhi: ['122.161.50', '103.120.50', '59.92.10'],
  bengaluru: ['122.179.20', '106.51.80'],
  chennai: ['106.51.30', '115.96.10'],
  surat: ['117.213.10'],
  mobileInMumbai: ['1.38.20'],
  mobileInBengaluru: ['27.59.10', '223.186.10'],
  paris: ['90.92.10', '86.245.10'],
  dubai: ['94.200.10', '86.98.20'],
  london: ['86.150.20'],
  hosting: ['159.65.144', '139.59.20', '13.233.10'],
} as const satisfies Record<string, readonly string[]>

export type Place = keyof typeof networks

/** Where customers live, the most frequent first. */
export const cities = ['mumbai', 'mumbai', 'bengaluru', 'bengaluru', 'delhi', 'delhi', 'chennai', 'surat'] as const

/** Any IP address of a place. */
export const addressIn = (place: Place, { below, one }: Random): string =>
  `${one<string>(networks[place])}.${1 + below(253)}`

/** The mobile network of somebody who is out of the house. */
export const mobileNear = (city: (typeof cities)[number]): Place =>
  city === 'bengaluru' || city === 'chennai' ? 'mobileInBengaluru' : 'mobileInMumbai'
