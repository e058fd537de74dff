import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** How values of one kind come in: by one reader, so that no door has weaker rules than another. */
interface Reader {
  readonly kind: string
  /** Where such values are read. These files may parse. */
  readonly files: readonly string[]
  /** How one would parse them without the reader: a name for the message, and its pattern in a line of code. */
  readonly forbidden: Readonly<Record<string, RegExp>>
  /** Where a pattern is found and is not a second reader, and why. */
  readonly allowed: Readonly<Record<string, string>>
  /** Where such values come in: these files must import the reader. */
  readonly doors: readonly string[]
}

const readers: readonly Reader[] = [
  {
    kind: 'email address',
    files: ['server/src/email/email-address.ts'],
    forbidden: {
      'a domain of any writing is read': /domainTo(?:ASCII|Unicode)/,
      'a text is split at @': /(?:[iI]ndexOf|split)\('@'/,
      'a pattern of an address': /@\\?\]\+?\\?\+@|\]\+@|@\[\^/,
      'the case of an address is folded':
        /(?:email|address|identityValue)\)?\??\.(?:trim|normalize|toLowerCase|toLocaleLowerCase)\(/i,
    },
    allowed: {
      'server/src/telecom/question-name.ts': 'the @ is in the name of a question',
      'server/src/telecom/costs/costs.ts': 'the @ is in the name of a cost',
      'server/src/sign-in/authentication/channels/smtp.ts':
        'the sender, as the operator configured it, with a display name',
      'server/src/admin/masking/mask-value.ts': 'finds addresses in any text, to mask them',
      'server/src/events/streams/mask.ts': 'masks addresses of any form',
      'server/src/admin/privacy/repeat.ts': 'finds what may be an address in any text, and then uses the reader',
      'server/src/admin/privacy/subject.ts': 'what older versions stored as an address must remain erasable',
      'server/src/admin/people/person.ts': 'who has an account of an older version still signs in',
      'server/src/admin/people/weak-password.ts': 'finds parts of an address in a password',
    },
    doors: [
      'server/src/sign-in/authentication/messages/recipient.ts',
      'server/src/sign-in/authentication/channels/identity-providers/proof-of-claims.ts',
      'server/src/sign-in/authentication/channels/identity-providers/authority.ts',
      'server/src/decisions/request.ts',
      'server/src/decisions/email/email-of.ts',
      'server/src/decisions/person/person.ts',
      'server/src/rules/lists/kinds.ts',
      'server/src/decisions/search/search-events.ts',
      'server/src/admin/privacy/subject.ts',
      'server/src/admin/privacy/find-subject.ts',
      'server/src/admin/people/person.ts',
      'server/src/admin/sso/sso-person.ts',
      'cli/src/arguments.ts',
    ],
  },
  {
    kind: 'user agent',
    files: ['server/src/device/analysis/user-agent.ts', 'server/src/device/analysis/engine.ts'],
    forbidden: {
      'a parser of user agents': /from '(?:bowser|ua-parser-js)'/,
      'a system is recognised in a text':
        /\/\S*(?:iPhone|iPad|Macintosh|Android\b|CrOS|Windows NT)\S*\/[a-z]*\.(?:test|exec)/,
      'iPads are recognised by their touch points': /macOS.*maxTouchPoints/,
    },
    doors: [
      'server/src/device/analysis/device-info.ts',
      'server/src/device/analysis/device-meta.ts',
      'server/src/device/identity/components.ts',
      'server/src/device/signals/os-mismatch.ts',
    ],
    allowed: {},
  },
  {
    kind: 'time zone of a place',
    files: ['server/src/ip/lawful-zones.ts', 'server/src/ip/look-up.ts', 'server/src/core/places/zones-of-country.ts'],
    forbidden: {
      'a zone is looked up by coordinates': /@photostructure\/tz-lookup/,
      'zones of a country are read from their file': /country-zones\.json/,
      'a zone of a place with two clocks is named': /'(?:Asia\/Urumqi|Asia\/Hebron|Europe\/Simferopol)'/,
    },
    allowed: {},
    doors: ['server/src/device/signals/vpn.ts'],
  },
  {
    kind: 'phone number',
    files: [
      'server/src/phone/read-number.ts',
      'server/src/phone/phone-number.ts',
      'server/src/phone/explain-invalid.ts',
    ],
    forbidden: {
      'all but digits is removed': /replace(?:All)?\(\/(?:\\D|\[\^(?:0-9|\\d)\])/,
      'punctuation between digits is removed': /replace(?:All)?\(\/[^/]*\[[^\]]*\(\)[^\]]*\]/,
      'a plus sign is removed': /replace(?:All)?\((?:'\+'|\/\^?(?:\[[^\]]*\])*\(?(?:\?:)?\\\+)|startsWith\('\+'\)/,
      'an international prefix is removed': /replace\(\/\^(?:\(|\[)?[^/]*00/,
      'the library parses': /from 'libphonenumber-js(?!\/max\/metadata)/,
    },
    allowed: {
      'server/src/sign-in/authentication/channels/identity-providers/authority.ts':
        'first digits of numbers, as the operator configured them',
      'server/src/telecom/operator-token.ts': 'the plus sign is in the name of an operator',
      'server/src/admin/masking/mask-sent.ts': 'masks numbers of any form',
      'server/src/admin/masking/mask-value.ts': 'masks numbers of any form',
      'server/src/http/credentials/basic-credentials.ts': 'a plus sign is a space in form encoding',
      'sandbox/src/oauth/client-authentication.ts': 'a plus sign is a space in form encoding',
      'server/src/telecom/portability-sources/enum/enum-answer.ts':
        'a tel URI of DNS, whose routing numbers may be hexadecimal',
      'server/src/telecom/portability-sources/mapping/map-row.ts':
        'the mapping of a file names country and national prefix',
      'sandbox/src/phone-number.ts': 'plays an operator, which has its own library',
    },
    doors: [
      'server/src/rules/lists/kinds.ts',
      'server/src/telecom/batches/answer-line.ts',
      'server/src/telecom/batches/batch-record.ts',
      'server/src/sign-in/authentication/messages/recipient.ts',
      'server/src/sign-in/authentication/channels/identity-providers/proof-of-claims.ts',
      'server/src/admin/subjects/read-number.ts',
      'server/src/admin/privacy/subject.ts',
      'server/src/admin/privacy/find-subject.ts',
      'server/src/decisions/search/search-events.ts',
      'server/src/device/analysis/update-info.ts',
      'server/src/telecom/subject.ts',
      'server/src/decisions/request.ts',
      'cli/src/arguments.ts',
      'cli/src/telecom/check.ts',
      'cli/src/numbers-look-up.ts',
    ],
  },
  {
    kind: 'IP address',
    files: ['server/src/core/address/address.ts'],
    forbidden: {
      'a text is tested by Node': /\b(?:isIP|isIPv4|isIPv6)\(|new SocketAddress/,
      'the parts of an address are split': /(?:address|ip|host)\w*\??\.split\('[.:]'\)/i,
      'an IPv4-mapped address is unwrapped by hand': /::ffff:/i,
    },
    allowed: {
      'server/src/telecom/portability-sources/enum/enum.ts': 'a DNS server, as the operator configured it',
      'server/src/admin/passkeys/relying-party.ts': 'whether a host is a name',
      'server/src/admin/masking/mask-sent.ts': 'finds addresses in any text, to mask them',
      'server/src/admin/masking/mask-value.ts': 'finds addresses in any text, to mask them',
      'server/src/events/streams/syslog-sink.ts': 'whether a configured host is a name',
      'sandbox/src/admin/loopback.ts': 'the sandbox has no code of the server',
      'sandbox/src/phones.ts': 'the sandbox has no code of the server',
      'sandbox/src/admin/phones.ts': 'the sandbox has no code of the server',
      'sandbox/src/start-sandbox.ts': 'whether to write brackets',
    },
    doors: [
      'server/src/ip/client-address.ts',
      'server/src/ip/look-up.ts',
      'server/src/core/address/address-blocks.ts',
      'server/src/ip/lists/published-list.ts',
      'server/src/core/address/nat64-prefixes.ts',
      'server/src/http/connections/bounds.ts',
      'server/src/decisions/request.ts',
      'server/src/rules/lists/kinds.ts',
      'server/src/rules/velocities/compile-velocity.ts',
      'server/src/decisions/search/search-events.ts',
      'server/src/events/webhooks/target.ts',
      'server/src/sign-in/authentication/messages/limits.ts',
    ],
  },
  {
    kind: 'one-time code',
    files: ['server/src/sign-in/authentication/one-time-code.ts', 'server/src/phone/plain-digits.ts'],
    forbidden: {
      'digits of other scripts are read': /\\p\{(?:Nd|Decimal_Number)\}/,
      'separators are dropped from a code': /\b(?:otp|code|typed)\)?\??\.(?:replace|replaceAll|trim|normalize)\(/i,
      'the case of a code is folded': /\b(?:otp|[cC]ode|typed)\)?\??\.toLowerCase\(/,
      'a pattern of a code': /\^\[0-9\](?:\{6\}|\{4,10\})\$|\^\\d\{(?:6|4,10)\}\$|\[A-Za-z0-9\]\{1,10\}/,
    },
    allowed: {
      'server/src/telecom/portability-sources/enum/enum.ts': 'the code of a network operator',
    },
    doors: [
      'server/src/sign-in/authentication/verify.ts',
      'server/src/admin/people/totp.ts',
      'server/src/admin/people/sign-in.ts',
    ],
  },
  {
    kind: 'URL that the server calls',
    files: ['server/src/core/address/called-url.ts', 'server/src/core/files/fetched-text.ts'],
    forbidden: {
      'a host of this machine is recognised': /127\(\\\.|'127\.'\)/,
      'a URL of a file or of the web is read': /\(https\??\|file\)/,
    },
    allowed: { 'sandbox/src/admin/loopback.ts': 'the sandbox has no code of the server' },
    doors: [
      'server/src/core/config/config.ts',
      'server/src/core/config/attestation-settings.ts',
      'server/src/core/config/bot-settings.ts',
      'server/src/core/config/ip-data-settings.ts',
      'server/src/core/dated-data/update-tables.ts',
      'server/src/ip/files/update-files.ts',
      'server/src/ip/lists/update-lists.ts',
      'server/src/bots/update-signature-agents.ts',
      'server/src/device/attestation/android/update-revocations.ts',
      'server/src/upstream/upstream-settings.ts',
      'server/src/upstream/token-request.ts',
      'server/src/sign-in/authentication/channels/http-gateway.ts',
      'server/src/sign-in/authentication/channels/oauth2.ts',
      'server/src/sign-in/authentication/channels/oidc.ts',
      'cli/src/remote/server-options.ts',
    ],
  },
]

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = ['server', 'cli', 'contract', 'node', 'sandbox', 'testing'].flatMap((folder) =>
  readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)testing\//.test(file))
    .map((file) => join(folder, 'src', file)),
)
const lines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n')
/** A comment parses nothing. */
const isCode = (line: string) => !/^\s*(?:\/\/|\/?\*)/.test(line)

/** What is parsed beside the reader: `file:line: what`. */
function otherParsing({ files, forbidden }: Reader): { file: string; found: string }[] {
  return sources
    .filter((file) => !files.includes(file))
    .flatMap((file) =>
      lines(file).flatMap((line, i) =>
        Object.entries(forbidden).flatMap(([what, pattern]) =>
          isCode(line) && pattern.test(line) ? [{ file, found: `${file}:${i + 1}: ${what}` }] : [],
        ),
      ),
    )
}

for (const reader of readers) {
  const { kind, files, allowed, doors } = reader

  test(`has one reader of values of the kind ${kind}, and no other parsing of them`, () => {
    for (const file of files) assert.ok(existsSync(join(root, file)), `${file} does not exist`)
    const other = otherParsing(reader)
    assert.deepEqual(
      other.filter(({ file }) => !(file in allowed)).map(({ found }) => found),
      [],
      `use ${files.join(' or ')}`,
    )
    const stale = Object.keys(allowed).filter((name) => !other.some(({ file }) => file === name))
    assert.deepEqual(stale, [], 'nothing is parsed there any more: remove it from `allowed`')
  })

  test(`reads each ${kind} that comes in with that reader`, () => {
    const names = files.map((file) => file.slice(file.lastIndexOf('/') + 1))
    const without = doors.filter(
      (door) => !lines(door).some((line) => names.some((name) => line.includes(`/${name}'`))),
    )
    assert.deepEqual(without, [], 'these do not import the reader')
  })
}
