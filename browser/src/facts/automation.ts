// Is this browser automated? Reads `navigator.webdriver` and globals that tools leave behind.

const onWindow =
  /^(\$?[ck]dc_|\$chrome_async|__webdriver|__driver|__selenium|callSelenium|__fxdriver|__playwright|__pw|__puppeteer|__nightmare|_phantom$|callPhantom|domAutomation)/
const onRoot = /^(webdriver|selenium|driver)$/

export function automation() {
  const names = [window, document].flatMap((holder) => Object.getOwnPropertyNames(holder))
  return {
    webdriver: navigator.webdriver === true,
    globals: [
      ...names.filter((name) => onWindow.test(name)),
      ...document.documentElement.getAttributeNames().filter((name) => onRoot.test(name)),
    ].slice(0, 16),
    chromeObject: 'chrome' in window,
    ...('Notification' in window && { notificationPermission: Notification.permission }),
  }
}
