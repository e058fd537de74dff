import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { whyWithoutNsd } from '@ringfence/server/telecom/portability-sources/enum/testing.ts'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

const withoutNsd = await whyWithoutNsd()
const printed = promisify(execFile)(process.execPath, [program], { timeout: 120_000 }).then(({ stdout }) => stdout)
printed.catch(() => undefined)

async function prints(...lines: RegExp[]): Promise<void> {
  const text = await printed
  for (const line of lines) assert.match(text, line)
}

test('npm run example:telecom asks each upstream about its number, and explains a route', () =>
  prints(
    /^917020140110 +acme +ACME_\w+ +no +simSwap +swapped true +acme +0 s +0\.002 EUR$/m,
    /^12025550160 +telnyx +EXAMPLE_MOBILE +yes +simSwap +swapped true +twilio +0 s +0\.015 EUR\n.*\n +portability +ported true +telnyx +/m,
    /^447400123456 +234_15 +not known +simSwap +swapped false +vonage /m,
    /^4915123456789 +sinch +BEISPIEL_MOBIL +no +simSwap +swapped false +sinch /m,
    /^33612345678 +telesign +208_10 +yes +simSwap +swapped false +telesign /m,
    /^5511961234567 +hub +724_05 +no +simSwap +swapped false +hub /m,
    /^31612345678 +nl-ported +204_08 +yes +simSwap +swapped false +hub .*\n.*\n +portability +ported true +nl-ported /m,
    /^ +callForwarding +Call forwarding check not supported for operator$/m,
    /^1 +twilio +its country +ready +SIM swap \(0\.015 EUR\), call forwarding \(0\.01 EUR\)$/m,
  ))

test('npm run example:telecom starts nsd, and numbers get their operator from its zone', { skip: withoutNsd }, () =>
  prints(
    /^41791234567 +swiss-enum +228_02 +yes +simSwap +swapped false +hub .*\n.*\n +portability +ported true +swiss-enum /m,
    /^41791234568 +swiss-enum +228_01 +no +simSwap +swapped false +hub .*\n.*\n +portability +ported false +swiss-enum /m,
    /^swiss-enum +no stored answer; a check would call it +-\nnl-ported +nothing about this number +left out by portability/m,
  ),
)
