// How many fingers can touch at once?

export const maxTouchPoints = () => navigator.maxTouchPoints
