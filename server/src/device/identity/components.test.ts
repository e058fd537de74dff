import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebFacts } from '@ringfence/contract'
import { homeAddress, iphone, laptop } from '../testdata/devices.ts'
import { components, place, traitsOf } from './components.ts'

const firefox = (facts: WebFacts = {}) =>
  laptop({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', ...facts })
const phoneAgent =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36'
const macSafari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'
const valuesOf = (facts: WebFacts, address = homeAddress) => traitsOf(facts, address).values

test('gives the same component for any order of its parts', () => {
  const { fonts = [], voices = [], mediaQueries = {} } = laptop()
  const turned = laptop({
    fonts: fonts.toReversed(),
    voices: voices.toReversed(),
    mediaQueries: Object.fromEntries(Object.entries(mediaQueries).reverse()),
  })
  assert.deepEqual(valuesOf(turned), valuesOf(laptop()))
  const languages = ['ta', 'en', 'en-GB', 'en-IN']
  assert.notEqual(
    valuesOf(laptop({ languages })).languages,
    valuesOf(laptop()).languages,
    'but for languages: preferences',
  )
})

test('gives the same screen component after rotation, and after zoom in Firefox', () => {
  const turned = { width: 864, height: 1536, colorDepth: 24 }
  assert.equal(valuesOf(laptop({ screen: turned })).screen, valuesOf(laptop()).screen)
  const screen = valuesOf(firefox({ screen: { width: 1920, height: 1080 }, devicePixelRatio: 1 })).screen
  for (const zoom of [1.1, 1.25, 1.5, 0.9, 0.67]) {
    const zoomed = { width: Math.round(1920 / zoom), height: Math.round(1080 / zoom) }
    assert.equal(valuesOf(firefox({ screen: zoomed, devicePixelRatio: zoom })).screen, screen, String(zoom))
  }
})

test('ignores the canvas in Firefox, and in browsers that alter pixels', () => {
  const { canvasText, canvasShapes } = valuesOf(laptop())
  assert.ok(canvasText && canvasShapes)
  const silent = [
    firefox(),
    laptop({ canvas: { ...laptop().canvas, isStable: false } }),
    laptop({ canvas: { ...laptop().canvas, isExact: false } }),
  ]
  for (const facts of silent) assert.equal(valuesOf(facts).canvasText, undefined)
})

test('recognises a graphics card with another driver', () => {
  const gpu = (renderer: string) => valuesOf(laptop({ webgl: { vendor: 'V', renderer } })).gpu
  const same = [
    [
      'ANGLE (Intel, Intel(R) UHD 620 Direct3D11 vs_5_0 ps_5_0, D3D11)',
      'ANGLE (Intel, Intel(R) UHD 620 Direct3D11 vs_5_0 ps_5_0, D3D11-27.20.100.8681)',
    ],
    [
      'ANGLE (Intel, Mesa Intel(R) UHD (KBL GT2), OpenGL 4.6 (Core Profile) Mesa 23.2.1)',
      'ANGLE (Intel, Mesa Intel(R) UHD (KBL GT2), OpenGL 4.6 (Core Profile) Mesa 25.0.7)',
    ],
    ['llvmpipe (LLVM 15.0.6, 256 bits)', 'llvmpipe (LLVM 19.1.7, 256 bits)'],
    [
      'ANGLE (AMD, Radeon R9 200 Series Direct3D11 vs_5_0 ps_5_0), or similar',
      'ANGLE (AMD, Radeon R9 200 Series Direct3D11 vs_5_0 ps_5_0)',
    ],
  ]
  for (const [before, after] of same) assert.equal(gpu(before!), gpu(after!))
  assert.notEqual(gpu('ANGLE (Intel, Intel(R) UHD 620 Direct3D11)'), gpu('ANGLE (Intel, Intel(R) UHD 630 Direct3D11)'))
})

test('derives ISP, network and connection from a valid IP address', () => {
  const of = (address: string) => {
    const { provider, network, address: connection } = valuesOf(laptop(), address)
    return [provider, network, connection]
  }
  assert.deepEqual(of('203.0.113.7'), ['203.0.0.0/16', '203.0.113.0/24', '203.0.113.7/32'])
  assert.deepEqual(of('::ffff:203.0.113.7'), of('203.0.113.7'))
  assert.deepEqual(of('2001:DB8:1:2:3::6'), ['2001:db8::/32', '2001:db8:1::/48', '2001:db8:1:2::/64'])
  for (const none of [undefined, '', 'unknown', '1:2:3:4:5:6:7:8::9']) {
    assert.equal(traitsOf(laptop(), none).values.address, undefined)
  }
})

test('treats iPhones and iPads as indistinguishable, also when an iPad reports a Mac', () => {
  const mac =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'
  assert.equal(traitsOf(iphone(), undefined).isIndistinguishable, true)
  assert.equal(traitsOf(laptop({ userAgent: mac, maxTouchPoints: 5 }), undefined).isIndistinguishable, true)
  assert.equal(traitsOf(laptop({ userAgent: mac, maxTouchPoints: 0 }), undefined).isIndistinguishable, false)
})

test('chooses the family by engine and form factor', () => {
  const phone =
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36'
  assert.equal(traitsOf(laptop(), undefined).family, 'blink-desktop')
  assert.equal(traitsOf(laptop({ userAgent: phone }), undefined).family, 'blink-mobile')
  assert.equal(traitsOf(firefox(), undefined).family, 'gecko')
  assert.equal(traitsOf(iphone(), undefined).family, 'webkit')
})

test('reads the build of the browser from client hints, else from the user agent', () => {
  const hints = (...brands: string[]) =>
    laptop({
      clientHints: { fullVersionList: brands.map((brand, index) => ({ brand, version: `150.0.${index}.9` })) },
    })
  assert.equal(valuesOf(hints('Not.A/Brand', 'Chromium', 'Google Chrome')).fullVersion, '150.0.2.9')
  assert.equal(valuesOf(hints('Not;A=Brand', 'Chromium')).fullVersion, '150.0.1.9')
  assert.equal(valuesOf(firefox()).fullVersion, '153.0')
})

test('compares windows by place and size, unless they fill the screen or are in a frame', () => {
  const window = (width: number, isTop = true) => {
    const geometry = { outerWidth: width, outerHeight: 700, screenX: 60, screenY: 20, isTop }
    return valuesOf(laptop({ windowGeometry: geometry })).window
  }
  assert.equal(window(900), '900 700 60 20')
  assert.equal(window(1536), 'maximised')
  assert.equal(window(900, false), undefined)
  assert.equal(valuesOf(laptop()).window, undefined)
})

test('keeps the stored order of components', () => {
  assert.deepEqual(
    [place.gpu, place.zone, place.address, place.version, place.codecs, place.window, components.length],
    [0, 24, 27, 28, 34, 36, 37],
  )
})

test('makes a component missing, never another one, when any of its facts is missing', () => {
  const window = { outerWidth: 1200, outerHeight: 800, innerWidth: 1200, innerHeight: 700, screenX: 10, screenY: 20 }
  const hints = { fullVersionList: [{ brand: 'Google Chrome', version: '150.0.7000.12' }], ...laptop().clientHints }
  const chrome = laptop({ language: 'en-IN', timezoneOffset: -330, windowGeometry: window, clientHints: hints })
  const phone = {
    ...chrome,
    userAgent: phoneAgent,
    cpuArchitecture: 'arm64',
    clientHints: { ...hints, model: 'Pixel 9', architecture: '' },
  }
  const safari = { ...chrome, userAgent: macSafari, vendor: 'Apple Computer, Inc.', clientHints: undefined as never }
  for (const whole of [chrome, phone, safari, firefox({ ...chrome, clientHints: undefined as never })]) {
    const known = valuesOf(whole)
    for (const [without, poorer] of poorerBy(whole)) {
      if (without === 'userAgent') continue // it says which browser it is; then nothing is compared
      for (const [name, value] of Object.entries(valuesOf(poorer)))
        assert.ok(value === known[name as 'gpu'], `${whole.userAgent}: without ${without} is ${name} ${value}`)
    }
  }
})

/** These facts without one of them, or without one member of one. */
function* poorerBy(facts: WebFacts): Generator<[string, WebFacts]> {
  for (const [name, fact] of Object.entries(facts)) {
    yield [name, { ...facts, [name]: undefined }]
    // Members of the others are sent together: maps of the SDK's own, and verdicts on a drawing.
    if (!['screen', 'webgl', 'clientHints', 'windowGeometry'].includes(name)) continue
    for (const member of Object.keys(fact ?? {}))
      yield [`${name}.${member}`, { ...facts, [name]: { ...(fact as object), [member]: undefined } }]
  }
}
