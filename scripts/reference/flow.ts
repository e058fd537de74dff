// What does somebody who writes no Node need to know? Which call comes when, and what goes from one to the next.

import { type Endpoint, endpoints } from '@ringfence/contract'
import { code, table } from './markdown.ts'

export function flowSection(): string[] {
  const { sdkConfig, intelligence, pushFingerprint, signInStart, signInVerify, validateToken, decide, passChallenge } =
    endpoints
  const rows: [caller: string, each: Endpoint, query: string, body: string, taken: string][] = [
    [
      'page',
      sdkConfig,
      '?platform=WEB&packageName=http://localhost:3000',
      '',
      '`sessionToken`, `sessionId`, `challenge`',
    ],
    [
      'page',
      intelligence,
      '',
      '`requestId` (a new UUID), `challenge`, `platform` (`WEB`), `sdkVersion` (`1.0.0`), `tsId` (the `sessionId`), `inId` (`UUID-EPOCH_SECONDS` of the browser), `facts` (an object)',
      '`nextChallenge`: the `challenge` of the next such call',
    ],
    [
      'page',
      pushFingerprint,
      '',
      '`requestId`, `tsId`, `inId`, `platform` as before; `appId`, `status` (`SUCCESS`), `message` (empty), `data` (`{"requestId": …}`)',
      '`dfrId`',
    ],
    [
      'page',
      signInStart,
      '',
      '`channel` (`OTP`), `identity` (`{"type": "MOBILE", "value": "917020142001"}`, or `EMAIL`)',
      '`transactionId`',
    ],
    ['page', signInVerify, '', '`transactionId`, `otp` (the code), `dfrId`', '`token`'],
    ['backend', validateToken, '', '`token`', '`identities`: the number or email address that was proved'],
    [
      'backend',
      decide,
      '',
      '`action` (`SIGNUP`, `LOGIN` or `PAYMENT`), `userId` (your id; a new one for `SIGNUP`), `phoneNumber`, `email`, `token`, `dfrId`, `params` (`{"amount": 1500}`)',
      '`action`, `decisionId`',
    ],
    [
      'backend',
      passChallenge,
      '',
      '`token` of one more sign-in (4 and 5)',
      '`challenge.state`: continue if it is `passed`',
    ],
  ]
  return [
    '## A sign-up, a login, a payment\n',
    `These calls, in this order. \`npm start\` prints the URL, the ids and the secret. A call of the page has the header \`appId\`, and from 2 on \`authorization: Bearer SESSION_TOKEN\`. A call of the backend has
\`clientId\` and \`clientSecret\`. Bodies are JSON, with \`content-type: application/json\`.\n`,
    table(
      ['', 'who', 'call', 'body', 'take from the answer'],
      rows.map(([caller, { method, path }, query, body, taken], index) => [
        String(index + 1),
        caller,
        code(`${method} ${path}${query}`),
        body,
        taken,
      ]),
    ),
    `- **Sign-up:** 1 to 7. The page sends \`token\` and \`dfrId\` to your backend, which makes the \`userId\`. **Login:** 2 to 7 again, with the \`userId\` of the customer
  whose number or email address was proved. **Payment:** 2, 3 and 7; your own session knows the customer, so there is no \`token\`.
- **\`token\`** is for one decision. **\`dfrId\`** is of one action: make a new report for each. Without a \`dfrId\`, all three are a \`CHALLENGE\`; so is a \`LOGIN\` without a \`token\`. If
  your page sent none, send null.
- **Answer:** continue on \`ALLOW\` and \`WARN\`, wait on \`REVIEW\`, refuse on \`BLOCK\`. On \`CHALLENGE\`, the person signs in with one of \`challenge.identityTypes\`, then 8.
- **\`Idempotency-Key\`:** a header of 7, for each attempt of a payment: sent again with the same body, it gets the first decision. Another body is an error 409.
- **Sandbox:** \`GET /v1/sandbox/messages?to=917020142001\` (backend) has the code at the start of \`messages[0].text\`.
- A real page loads \`/sdk/browser.js\`, which makes 1 to 5 with all \`facts\`. What few facts describe is [\`incomplete\`](signals.md#facts-of-a-complete-report): a \`CHALLENGE\`. With the \`user-agent\` of curl or Python it
  is a bot: \`BLOCK\`. \`npx ringfence sign-in\` plays a browser, and prints a \`token\` and a \`dfrId\`.
- **A mistake:** read the response header \`x-ringfence-notice\` (\`curl -i\`). It says what to do. The body of an error has only the fields of the specification.\n`,
  ]
}
