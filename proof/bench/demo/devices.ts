// Which browsers does the demo play? `node proof/bench/demo/devices.ts` draws them from the simulated population, and writes cli/src/demo/devices.json.zst.

import { writeFileSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'
import { headersOf } from '../../../server/src/device/testdata/ordinary-report.ts'
import { recorded } from '../../../server/src/device/testdata/recordings.ts'
import { oneCountry } from '../fraud-story/story.ts'
import { makePopulation } from '../recognition/population.ts'
import { judgingRates } from '../recognition/rates.ts'

const ordinaryDevices = 240
/** Days of the demo on which a device shows something new, such as a browser version. */
const days = [0, 11, 22]
const automated = ['chromium-headless', 'chromedriver-plain', 'playwright-headed']

const population = makePopulation(3000, 14, { ...judgingRates, fleet: 0, journeys: 0 }, oneCountry)
const ordinary = Array.from({ length: ordinaryDevices }, () => {
  const device = population.newDevice()
  const shown = days.map((day) => {
    const { facts } = device.visit(day)
    const headers = { 'user-agent': facts.userAgent ?? '', 'accept-language': (facts.languages ?? ['en']).join(',') }
    return { facts, headers }
  })
  const isPhone = device.kind === 'androidChrome' || device.kind === 'iphone'
  return { kind: isPhone ? 'phone' : 'desktop', shown }
})
const bots = automated.map((name) => {
  const recording = recorded(name)
  return { kind: 'automated', shown: [{ facts: recording.facts, headers: headersOf(recording) }] }
})
const text = JSON.stringify({ days, devices: [...ordinary, ...bots] })
const compressed = zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 19 } })
writeFileSync(new URL('../../../cli/src/demo/devices.json.zst', import.meta.url), compressed)
console.log(`${ordinary.length + bots.length} devices, ${text.length} bytes of JSON, ${compressed.length} bytes`)
