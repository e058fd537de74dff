import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

test('npm run example:telecom asks each upstream about its number, and explains a route', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 120_000 })
  for (const line of [
    /^917020140110 +ACME_\w+ +no +simSwap +swapped true +acme +0 s +0\.002 EUR$/m,
    /^12025550160 +EXAMPLE_MOBILE +yes +simSwap +swapped true +twilio +0 s +0\.015 EUR\n.*\n +portability +ported true +telnyx +/m,
    /^447400123456 +234_15 +not known +simSwap +swapped false +vonage /m,
    /^4915123456789 +BEISPIEL_MOBIL +no +simSwap +swapped false +sinch /m,
    /^33612345678 +208_10 +yes +simSwap +swapped false +telesign /m,
    /^5511961234567 +724_05 +no +simSwap +swapped false +hub /m,
    /^ +callForwarding +Call forwarding check not supported for operator$/m,
    /^1 +twilio +its country +ready +SIM swap \(0\.015 EUR\), call forwarding \(0\.01 EUR\)$/m,
  ]) {
    assert.match(stdout, line)
  }
})
