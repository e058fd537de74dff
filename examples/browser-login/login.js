// Sign-in with a phone number: the page sends a code, the person types it, and the backend gets the token.

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

element('phone').addEventListener('submit', (event) => {
  event.preventDefault()
  step(event.target, async () => {
    await Ringfence.signIn.start({
      channel: 'OTP',
      // Digits with country code, no plus sign.
      identity: { type: 'MOBILE', value: element('phone-number').value.replace(/\D/g, '') },
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
    const { token } = await Ringfence.signIn.verify({ otp: element('otp').value.trim() })
    // Only the backend finds out who signed in, because anyone can forge what a page sends.
    const response = await fetch('login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    const answer = await response.json()
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
