// How many touch points does the screen support at once?

export const maxTouchPoints = () => navigator.maxTouchPoints
