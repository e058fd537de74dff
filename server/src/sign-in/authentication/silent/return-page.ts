// How does the code of a SILENT sign-in reach whoever opened the URL? By message to the app's page, by redirect, or as JSON to a mobile app.

import { createHash } from 'node:crypto'
import type { Page } from '../../../core/pages/page.ts'
import type { ReturnError } from '../callback.ts'
import { escapeHtml } from '../messages/message.ts'
import { backToApp } from '../redirect-url.ts'
import type { SignIn } from '../transaction.ts'

export type SilentReturn =
  | { readonly ringfence_code: string; readonly ringfence_error?: never }
  | { readonly ringfence_error: ReturnError; readonly ringfence_code?: never }

/** The browser drops the message unless the page around this one has the app's origin. */
const script =
  'const{message,origin}=document.currentScript.dataset;parent.postMessage({ringfence:JSON.parse(message)},origin)'
const scriptHash = createHash('sha256').update(script).digest('base64')

const noStore = { 'cache-control': 'no-store' }

export function backToOpener({ content }: SignIn, result: SilentReturn): Page {
  const { redirectUrl, transactionId, silent } = content
  if (redirectUrl !== undefined) {
    return {
      status: 303,
      type: 'text/plain; charset=utf-8',
      body: 'You are being redirected to the app.\n',
      headers: { ...noStore, location: backToApp(redirectUrl, transactionId, result) },
    }
  }
  const origin = silent?.origin
  if (origin === undefined) {
    return { type: 'application/json; charset=utf-8', body: JSON.stringify(result), headers: noStore }
  }
  return {
    type: 'text/html; charset=utf-8',
    headers: {
      ...noStore,
      'content-security-policy': `default-src 'none'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'; frame-ancestors ${origin}`,
    },
    body: `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex"><title>Number Verification</title>
<script data-origin="${escapeHtml(origin)}" data-message="${escapeHtml(JSON.stringify(result))}">${script}</script>
</html>
`,
  }
}
