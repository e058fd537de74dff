// What has shown each field of the report and of secure info? docs/causes.md, from the causes that a test plays.

import { type Cause, causes } from '@ringfence/server/device/testdata/causes/index.ts'
import { code, page, table } from './markdown.ts'

const seen: Readonly<Record<Cause['seen'], string>> = {
  here: 'recorded by us',
  reported: 'as reported in the source',
  never: 'never seen on a real device',
}

export function causesPage(): string {
  return page(
    'What shows each field',
    `A fraud signal that nothing real has ever fired proves nothing. Each field of the [device report](reference/device-report.md) and each detector of
\`secure_info\` therefore has a cause with its source: something that happened, with the values that a browser, phone or list had then.
\`server/src/device-report/causes.test.ts\` sends every cause as an SDK does, on SQLite and PostgreSQL, and reads the fields as a backend does. An ordinary device
shows none of them.`,
    `**What this does not prove.** We have no phones: neither our iOS SDK nor an Android app has sent us these facts from a real device. Causes of phones replay values
that somebody else reports, or documents.`,
    table(
      ['field', 'what happened', 'source', 'seen'],
      Object.values(causes).map(({ shows, happened, source: { text, url }, seen: where }) => [
        shows.map(code).join(', '),
        happened,
        url === undefined ? text : `[${text}](${url})`,
        seen[where],
      ]),
    ),
  )
}
