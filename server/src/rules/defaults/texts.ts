// What do default rules say to the user?

// They do not name what was detected. Only CHALLENGE asks for a proof: after WARN the person continues.
export const tryAnother = 'We could not confirm this device. Please use another one, or contact support.'
export const otherAccount =
  'You are signed in with another account. Please sign out and sign in with the right one, or contact support.'
export const confirm = 'Please confirm that it is you: we need one more step before you can continue.'
export const confirmNumber = 'We could not confirm your phone number. Please confirm that it is you in another way.'
export const unusual = 'Something about this visit is unusual. If this is not you, please contact support.'
export const limitedNumber = 'We could not confirm your phone number. Some things may not be possible with it.'
export const limitedDevice = 'We could not confirm this device. Some things may not be possible on it.'
export const limitedPlace = 'We could not confirm where you are. Please turn off apps that change your location.'
export const callUs =
  'We look at this payment before it is sent. If somebody told you to make it, stop, hang up and call us.'
export const somebodyOnTheLine =
  'If somebody on the phone asked you to pay, stop: it may be a scam. If not, please confirm this payment.'
export const checkScreen =
  'Your screen is being shared. Please stop sharing it, and do not continue if somebody asked you to do this.'
