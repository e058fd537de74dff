// Which made-up devices are there? Each has the facts of a real browser or phone; hardware and key follow from its name.

import { createHash } from 'node:crypto'
import type { AndroidFacts, DevicePlatform, IosFacts, WebFacts } from '@ringfence/contract'
import android from '@ringfence/contract/samples/android-facts.everything.json' with { type: 'json' }
import iphone from '@ringfence/contract/samples/ios-facts.everything.json' with { type: 'json' }
import { plainFingerprint } from '@ringfence/server/device/attestation/android/attested-key.ts'
import driven from '@ringfence/server/device/testdata/recordings/chromedriver-plain.json' with { type: 'json' }
import atHome from '@ringfence/server/device/testdata/recordings/chromium-at-home.json' with { type: 'json' }
import type { AndroidAttestation } from '../visits.ts'
import { chainOf } from './certificates.ts'
import { type CallBody, keyOf, type SigningKey, textOf } from './signing-key.ts'

/** What a device shows at a visit. */
export interface VisitingDevice {
  readonly platform: DevicePlatform
  /** Origin of the page, or bundle id of the app. */
  readonly packageName: string
  /** As its SDK sends them at the next visit. */
  facts(): object
  /** Those of each call of its browser. */
  readonly headers: Readonly<Record<string, string>>
  readonly installationId: string
  /** Signs each report. Absent: the copy of a device has its facts, not its key. */
  readonly key: SigningKey | undefined
  /** What attests its key, in the first report that is signed with it. */
  attestationOf?(body: CallBody): object | undefined
  /** The service gave it a token to store. */
  storeToken?(token: string): void
}

export interface DeviceChoice {
  /** The same name is the same device. */
  readonly name: string
  /** Whose devices these are: those of two apps have different keys. */
  readonly owner: string
  readonly isAutomated?: boolean
  /** Has copied the facts of the device, and not its key. */
  readonly isCopy?: boolean
}

const fonts = ['Arial', 'Cantarell', 'DejaVu Serif', 'FreeSans', 'Gentium', 'Inter', 'Lato', 'Liberation Sans']
const cores = [4, 6, 8, 12, 16, 24, 32]
const chips = [
  'UHD Graphics 620',
  'Iris Xe Graphics',
  'HD Graphics 530',
  'UHD Graphics 770',
  'Arc A370M',
  'HD Graphics 4000',
]
const widths = [1366, 1440, 1600, 1680, 1920, 2048, 2560, 3840]

export const pageOrigin = 'http://localhost:3000'
/** Of the app that a phone runs: bundle id or package name. */
export const bundleId = 'com.example.app'

/** A browser, which a person or a program drives. */
export function browserOf({ name, owner, isAutomated, isCopy }: DeviceChoice): VisitingDevice {
  const { facts, headers } = isAutomated ? driven : atHome
  const own = onHardware(facts as WebFacts, name)
  let deviceToken: string | undefined
  return {
    platform: 'WEB',
    packageName: pageOrigin,
    facts: () => ({ ...own, ...(deviceToken !== undefined && { deviceToken }) }),
    headers: headersOfEachCall(headers),
    installationId: installationIdOf(isCopy ? `copy of ${name}` : name, owner),
    key: isCopy ? undefined : keyOf(`${owner} ${name}`),
    storeToken(token) {
      deviceToken = token
    },
  }
}

/** An iPhone with an app of the tenant. */
export function phoneOf({ name, owner }: DeviceChoice): VisitingDevice {
  const facts = {
    ...(iphone as IosFacts),
    vendorId: uuidOf(`${owner} ${name} vendor`),
    keychainId: { id: installationIdOf(name, owner), isNew: false },
    appIntegrity: { ...iphone.appIntegrity, bundleId },
  }
  return {
    platform: 'IOS',
    packageName: bundleId,
    facts: () => facts,
    headers: { 'user-agent': 'Shop/1043 CFNetwork/3826.500.131 Darwin/24.5.0' },
    installationId: installationIdOf(name, owner),
    key: undefined,
  }
}

/** What may be on an Android phone while somebody uses the app, by the facts that show it. */
const circumstances = {
  call: { audioMode: 2 },
  'screen-sharing': { screenCapture: { isMirrored: true, isRecorded: true } },
  'remote-access': { remoteAccessApps: ['com.example.remote'] },
  'accessibility-service': { accessibilityServices: ['com.example.passwords'] },
  overlay: { touch: { isObscured: true, isPartiallyObscured: false } },
  'foreign-sim': {
    sim: { slots: 2, inserted: 1, cards: [{ networkCode: '23415', carrier: 'vodafone UK', country: 'gb' }] },
  },
  'wireless-debugging': {
    developerOptions: { isEnabled: true, isAdbEnabled: false, isWirelessDebuggingEnabled: true },
  },
  root: { rootTraces: { paths: ['/data/adb/magisk'], packages: [], properties: ['selinux=permissive'] } },
  emulator: { peripherals: { sensors: 0, cameras: 0, hardwareCodecs: 0 } },
} as const satisfies Readonly<Record<string, AndroidFacts>>

export type Circumstance = keyof typeof circumstances
export const circumstanceNames = Object.keys(circumstances) as Circumstance[]

/** The app that runs on a phone. Absent members: one of tests. */
export interface PlayedApp {
  readonly packageName?: string | undefined
  /** SHA-256 of those that sign it, in hex. The first one has signed it here. */
  readonly androidCertificates?: readonly string[] | undefined
}

interface AndroidChoice {
  readonly app?: PlayedApp | undefined
  readonly during?: readonly Circumstance[] | undefined
  readonly attests?: AndroidAttestation | undefined
  /** The key of the root that the service trusts; absent where it trusts none of ours. */
  readonly attestationRoot?: string | undefined
}

/** An Android phone with an app of the tenant, which proves a key. Its first report brings what attests the key. */
export function androidPhoneOf(
  { name, owner }: DeviceChoice,
  { during = [], attests = 'hardware', attestationRoot, app = {} }: AndroidChoice = {},
): VisitingDevice {
  const { packageName = bundleId, androidCertificates: [certificate] = [] } = app
  const certificates = certificate === undefined ? android.appIntegrity.certificates : [plainFingerprint(certificate)]
  const key = keyOf(`${owner} ${name}`)
  const root = attests === 'nothing' ? undefined : attestationRoot
  let isAttested = root === undefined
  const facts = {
    ...(android as AndroidFacts),
    drmId: createHash('sha256').update(`${owner} ${name} drm`).digest('hex'),
    androidId: uuidOf(`${owner} ${name} android`).slice(-12),
    appIntegrity: {
      ...android.appIntegrity,
      ...{ bundleId: packageName, dataFolder: `/data/user/0/${packageName}`, certificates },
    },
    ...Object.assign({}, ...during.map((each) => circumstances[each])),
  }
  return {
    platform: 'ANDROID',
    packageName,
    facts: () => facts,
    headers: { 'user-agent': 'okhttp/5.0.0' },
    installationId: installationIdOf(name, owner),
    key,
    attestationOf(body) {
      if (isAttested) return undefined
      isAttested = true
      const challenge = createHash('sha256').update(textOf(body)).digest()
      return { chain: chainOf(key.publicKey, { challenge, attests, packageName, certificates, root: root! }) }
    },
  }
}

/** Those of a navigation are not those of a call. */
const headersOfEachCall = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('sec-fetch')))

const installationIdOf = (name: string, owner: string) => `${uuidOf(`${owner} ${name}`)}-1770000000`

const uuidOf = (seed: string) =>
  createHash('sha256')
    .update(seed)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')

/** All recordings are of one computer. Without this, every device would be recognised as the same one. */
function onHardware(facts: WebFacts, name: string): WebFacts {
  const drawn = (what: string) => createHash('sha256').update(`${name} ${what}`).digest()
  const text = (what: string) => drawn(what).toString('hex', 0, 8)
  const one = <Value>(values: readonly Value[], what: string): Value => values[drawn(what)[0]! % values.length]!
  const width = one(widths, 'width')
  const hardwareConcurrency = one(cores, 'cores')
  const shift = drawn('font widths').readUInt16BE() / 1000
  return {
    ...facts,
    audio: 124 + drawn('audio').readUInt32BE() / 2 ** 35,
    canvas: { ...facts.canvas, geometry: text('geometry'), text: text('text') },
    screen: { ...facts.screen, width, availWidth: width },
    fonts: ['DejaVu Sans', ...fonts.filter((font) => drawn(font)[0]! % 2 === 0)],
    fontWidths: (facts.fontWidths ?? []).map((each) => each + shift),
    codecs: text('codecs'),
    keyboard: one(['` q a z y', '^ q a y z', '\u00b2 a q w y'], 'keyboard'),
    webgl: {
      vendor: 'Google Inc. (Intel)',
      renderer: `ANGLE (Intel, Mesa Intel(R) ${one(chips, 'chip')}, OpenGL 4.6)`,
      parameters: text('parameters'),
      extensions: text('extensions'),
      image: text('image'),
    },
    hardwareConcurrency,
    workerScope: { ...facts.workerScope, hardwareConcurrency },
  }
}
