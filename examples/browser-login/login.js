// Sign-in with a phone number or an email address: the page sends a code, the person types it, and the backend gets the token.

const { Ringfence } = globalThis
const element = (id) => document.getElementById(id)
const notice = (text) => {
  element('notice').textContent = text
}

/** Runs one step with its buttons disabled. Shows a failure, so that the person can try again. */
async function step(form, work) {
  const buttons = form.querySelectorAll('button')
  for (const button of buttons) button.disabled = true
  notice('')
  try {
    await work()
  } catch (error) {
    notice(error.message)
  } finally {
    for (const button of buttons) button.disabled = false
  }
}

/** Where the backend expects the next token: at first the login, and after a challenge the sign-in that confirms it. */
let target = 'login'

/** An email address, or a number as digits with country code, without a plus sign. */
const identityOf = (text) =>
  text.includes('@') ? { type: 'EMAIL', value: text } : { type: 'MOBILE', value: text.replace(/\D/g, '') }

element('phone').addEventListener('submit', (event) => {
  event.preventDefault()
  step(event.target, async () => {
    await Ringfence.signIn.start({
      channel: 'OTP',
      identity: identityOf(element('phone-number').value.trim()),
      // Ringfence analyses the device while the code is on its way.
      deviceFingerprintMode: 'ASYNC',
    })
    element('phone').hidden = true
    element('code').hidden = false
    element('otp').focus()
    notice('A code is on its way.')
  })
})

element('resend').addEventListener('click', () => {
  step(element('code'), async () => {
    await Ringfence.signIn.resend()
    notice('Another code is on its way.')
  })
})

element('another-number').addEventListener('click', () => {
  element('code').hidden = true
  element('phone').hidden = false
  notice('')
})

element('code').addEventListener('submit', (event) => {
  event.preventDefault()
  step(event.target, async () => {
    const { token, dfrId } = await Ringfence.signIn.verify({ otp: element('otp').value.trim() })
    // Only the backend finds out who signed in, because anyone can forge what a page sends.
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, dfrId }),
    })
    const answer = await response.json()
    target = answer.challenge ? 'challenge' : 'login'
    if (answer.challenge) {
      element('code').hidden = true
      element('phone').hidden = false
    }
    if (!response.ok) throw new Error(answer.message)
    element('code').hidden = true
    element('signed-in').hidden = false
    element('who').textContent = answer.identities.map(({ identityValue }) => identityValue).join(', ')
    element('verified').textContent = JSON.stringify(answer, undefined, 2)
  })
})

if (!(await Ringfence.initialize(document.body.dataset.appId))) {
  notice('Signing in is not possible at the moment.')
}
