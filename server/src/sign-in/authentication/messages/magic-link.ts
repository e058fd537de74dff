// What does a magic link open? A page with one button: programs that scan emails follow links but press no buttons.

import { Refusal } from '../../../core/errors.ts'
import { htmlPage } from '../../../core/pages/html-page.ts'
import type { Page } from '../../../core/pages/page.ts'
import { redirectWithCode, storeProof } from '../return-code.ts'
import type { SignInNeeds } from '../room.ts'
import { refuseUnlessOpen, returnedSignIn, type SignIn } from '../transaction.ts'
import { magicLinkPath } from './deliver.ts'
import { escapeHtml } from './message.ts'

/** GET: shows the button. The link is not used up. */
export async function magicLinkPage(needs: SignInNeeds, fields: URLSearchParams): Promise<Page> {
  const found = await openSignIn(needs, fields)
  if ('page' in found) return found.page
  const { appName, recipient, redirectUrl } = found.signIn.content
  const code = escapeHtml(fields.get('code') ?? '')
  const where = redirectUrl === undefined ? ' on the device that requested this link' : ''
  return html({
    title: `Sign in to ${appName}`,
    text: `You are about to sign in to ${appName} as ${recipient?.value}${where}. Continue only if you requested this link yourself.`,
    action: `<form method="post" action="${magicLinkPath}"><input type="hidden" name="code" value="${code}"><button>Sign in</button></form>`,
    // Browsers apply form-action to the redirect after the form too.
    formAction: `'self'${redirectUrl === undefined ? '' : ` ${originOf(redirectUrl)}`}`,
  })
}

/** POST: the person pressed the button. The link is used up and leads back to the app. */
export async function magicLinkFollowed(needs: SignInNeeds, fields: URLSearchParams): Promise<Page> {
  const found = await openSignIn(needs, fields)
  if ('page' in found) return found.page
  const { signIn } = found
  const { redirectUrl, appName, recipient } = signIn.content
  const proof = {
    identities: [{ identityType: recipient!.type, identityValue: recipient!.value, verified: true }],
  }
  try {
    if (redirectUrl === undefined) {
      await storeProof(signIn, proof, needs)
      return html({
        title: `Signed in to ${appName}`,
        text: 'Continue on the device that requested this link. You can close this page.',
      })
    }
    const location = await redirectWithCode(signIn, proof, needs)
    return {
      ...html({ title: 'Signed in', text: 'You are being redirected to the app.' }),
      status: 303,
      headers: { location, ...privacyHeaders },
    }
  } catch (error) {
    if (error instanceof Refusal) return refusalPage(error)
    throw error
  }
}

async function openSignIn(needs: SignInNeeds, fields: URLSearchParams): Promise<{ signIn: SignIn } | { page: Page }> {
  const signIn = await returnedSignIn(fields.get('code') ?? '', needs)
  try {
    if (signIn?.record.channel !== 'MAGIC_LINK') throw new Refusal('signInUnknown')
    refuseUnlessOpen(signIn.record, needs.clock.now())
    if (signIn.record.state !== 'open') throw new Refusal('signInOver')
    return { signIn }
  } catch (error) {
    if (error instanceof Refusal) return { page: refusalPage(error) }
    throw error
  }
}

function refusalPage({ failure }: Refusal): Page {
  const texts: Readonly<Record<string, string>> = {
    signInOver: 'This link has already been used. To sign in again, request a new one.',
    signInExpired: 'This link has expired. Request a new one.',
  }
  const text = texts[failure] ?? 'This link is not valid. Request a new one, and open only the latest.'
  return html({ title: 'This link does not work', text, status: 400 })
}

interface PageText {
  title: string
  text: string
  action?: string
  formAction?: string
  status?: number
}

const privacyHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

const html = ({ title, text, action = '', ...rest }: PageText): Page =>
  htmlPage({
    ...rest,
    title: escapeHtml(title),
    content: `<p>${escapeHtml(text)}</p>${action}`,
    headers: privacyHeaders,
  })

/** Returns the scheme when the URL has an app's own scheme. */
function originOf(url: string): string {
  const { origin, protocol } = new URL(url)
  return origin === 'null' ? protocol : origin
}
